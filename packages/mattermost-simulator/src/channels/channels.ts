import { type Answer, done, forbid, json, refuse } from '../answer.ts';
import {
  asks,
  audit,
  type Call,
  fields,
  found,
  isAdmin,
  list,
  pageOf,
  type Route,
  requireAdmin,
  text,
} from '../call.ts';
import type { Channel, ChannelMember, User } from '../model.ts';
import { addSystemPost } from '../posts/add-post.ts';
import { deleteChannelForever } from '../posts/deletion.ts';
import { channelMemberRow, channelRow, groupName } from '../render.ts';
import { isOn } from '../settings.ts';
import type { World } from '../world.ts';
import { addChannel, addToChannel } from './add-channel.ts';

const MISSING = 'app.channel.get.existing.app_error';

export const CHANNEL_ROUTES: Route[] = [
  { call: 'POST channels', by: 'user', run: createChannel },
  { call: 'POST channels/direct', by: 'user', run: (call) => json(201, channelRow(openDirect(call.world, ids(call)))) },
  { call: 'POST channels/group', by: 'user', run: (call) => json(201, channelRow(openGroup(call.world, ids(call)))) },
  { call: 'GET channels', by: 'admin', run: listAll },
  { call: 'GET channels/:channel', by: 'user', run: (call) => json(200, channelRow(readable(call))) },
  { call: 'DELETE channels/:channel', by: 'user', run: deleteChannel },
  { call: 'POST channels/:channel/restore', by: 'user', run: restoreChannel },
  {
    call: 'GET channels/:channel/stats',
    by: 'user',
    run: (call) => {
      const { id } = readable(call);
      const counts = { guest_count: 0, pinnedpost_count: 0, files_count: 0 };
      return json(200, { channel_id: id, member_count: call.world.channelMembers.get(id)?.size ?? 0, ...counts });
    },
  },
  {
    call: 'GET channels/:channel/members',
    by: 'user',
    run: (call) => {
      const rows = [...(call.world.channelMembers.get(readable(call).id)?.values() ?? [])];
      return json(200, pageOf(rows, call.query).map(channelMemberRow));
    },
  },
  { call: 'POST channels/:channel/members', by: 'user', run: addMembers },
  { call: 'DELETE channels/:channel/members/:user', by: 'user', run: removeMember },
  {
    call: 'GET teams/:team/channels',
    by: 'user',
    run: (call) => ofTeam(call, (c) => c.type === 'O' && c.delete_at === 0),
  },
  {
    call: 'GET teams/:team/channels/private',
    by: 'admin',
    run: (call) => ofTeam(call, (c) => c.type === 'P' && c.delete_at === 0),
  },
  { call: 'GET teams/:team/channels/deleted', by: 'user', run: (call) => ofTeam(call, (c) => c.delete_at > 0) },
  { call: 'GET users/:user/channels', by: 'user', run: listOfUser },
];

const channel = ({ world, params }: Call) => found(world.channels, params.channel, MISSING);
const ids = (call: Call) => list(call).map((id) => text(id));

/** A system admin reads every channel without being a member. */
export function readable(call: Call): Channel {
  const row = channel(call);
  if (!isAdmin(call.caller) && !call.world.channelMembers.get(row.id)?.has(call.caller.id)) forbid();
  return row;
}

function createChannel(call: Call) {
  const { world, caller } = call;
  const { team_id, name, display_name, type } = fields(call);
  const isTaken = [...world.channels.values()].some((each) => each.team_id === team_id && each.name === name);
  if (isTaken) refuse(400, 'store.sql_channel.save_channel.exists.app_error');
  const named = { name: text(name), display_name: text(display_name), type: text(type, 'O') };
  const row = addChannel(world, { team_id: text(team_id), ...named, creator_id: caller.id });
  addToChannel(world, row, caller);
  addSystemPost(world, row, { user: caller, type: 'system_join_channel' });
  return json(201, { ...channelRow(row), total_msg_count: 0, last_post_at: 0 });
}

/** The same two people get the same channel again. */
export function openDirect(world: World, users: string[]): Channel {
  const [a = '', b = ''] = [...users].sort();
  return open(world, [...new Set([a, b])], { type: 'D', name: `${a}__${b}`, creator_id: users[0] ?? '' });
}

export function openGroup(world: World, users: string[]): Channel {
  const names = users.map((id) => world.users.get(id)?.username).sort();
  return open(world, users, { type: 'G', name: groupName(users), display_name: names.join(', ') });
}

function open(world: World, users: string[], more: Partial<Channel>): Channel {
  const known = [...world.channels.values()].find((each) => each.team_id === '' && each.name === more.name);
  if (known) return known;
  const members = users.map((id) => found(world.users, id, 'app.user.missing_account.const'));
  const row = addChannel(world, more);
  for (const member of members) addToChannel(world, row, member);
  return row;
}

/** Lists the channels of all teams, of deleted ones too, but no direct and group messages. */
function listAll({ world, query }: Call) {
  const rows = [...world.channels.values()].filter(
    (each) => each.team_id !== '' && (asks(query, 'include_deleted') || each.delete_at === 0),
  );
  const page = pageOf(rows, query).map((each) => {
    const team = world.teams.get(each.team_id);
    const named = { team_name: team?.name, team_display_name: team?.display_name, team_update_at: team?.update_at };
    return { ...channelRow(each), ...named };
  });
  return json(200, asks(query, 'include_total_count') ? { channels: page, total_count: rows.length } : page);
}

function ofTeam({ world, params, query }: Call, holds: (channel: Channel) => boolean) {
  const rows = [...world.channels.values()].filter((each) => each.team_id === params.team && holds(each));
  return json(200, pageOf(rows, query).map(channelRow));
}

/** The only list with direct and group messages. Without any channel its answer is 404 with JSON that never ends. */
function listOfUser({ world, params, query, caller }: Call): Answer {
  if (!isAdmin(caller) && caller.id !== params.user) forbid();
  const rows = [...world.channels.values()].filter(
    (each) =>
      world.channelMembers.get(each.id)?.has(params.user ?? '') &&
      (asks(query, 'include_deleted') || each.delete_at === 0),
  );
  if (rows.length > 0) return json(200, rows.map(channelRow));
  const error = { id: 'app.channel.get_channels.not_found.app_error', message: 'No channels', status_code: 404 };
  return { ...json(404, error), body: `[${JSON.stringify(error)}` };
}

function deleteChannel(call: Call) {
  const { world, query } = call;
  const row = channel(call);
  if (row.team_id === '') refuse(400, 'api.channel.delete_channel.type.invalid');
  if (asks(query, 'permanent')) {
    const isAllowed = isOn(world.settings, 'ServiceSettings', 'EnableAPIChannelDeletion');
    if (!isAllowed) refuse(401, 'api.user.delete_channel.not_enabled.app_error');
    requireAdmin(call);
    deleteChannelForever(world, row.id);
    return done();
  }
  readable(call);
  row.delete_at = world.now();
  row.update_at = row.delete_at;
  audit(call, `channels/${row.id}`, `name=${row.name}`);
  addSystemPost(world, row, { user: call.caller, type: 'system_channel_deleted' });
  return done();
}

function restoreChannel(call: Call) {
  const row = readable(call);
  row.delete_at = 0;
  row.update_at = call.world.now();
  addSystemPost(call.world, row, { user: call.caller, type: 'system_channel_restored' });
  return json(200, channelRow(row));
}

/** Works in archived channels too. */
function addMembers(call: Call) {
  const { world } = call;
  const row = readable(call);
  if (row.team_id === '') refuse(400, 'api.channel.add_members.direct_or_group.app_error');
  const { user_id, user_ids } = fields(call);
  const many = Array.isArray(user_ids) ? user_ids : undefined;
  const added = (many ?? [user_id]).map((id) => addMember(call, row, text(id)));
  const rows = added.flatMap((user) => world.channelMembers.get(row.id)?.get(user.id) ?? []).map(channelMemberRow);
  return json(201, many ? rows : rows[0]);
}

function addMember(call: Call, row: Channel, userId: string): User {
  const { world, caller } = call;
  const user = found(world.users, userId, 'app.user.missing_account.const');
  const isInTeam = world.teamMembers.get(row.team_id)?.get(user.id)?.delete_at === 0;
  if (!isInTeam) refuse(400, 'api.channel.add_user.to.channel.failed.deleted.app_error');
  if (!addToChannel(world, row, user)) return user;
  const props = { addedUserId: user.id, addedUsername: user.username, userId: caller.id, username: caller.username };
  addSystemPost(world, row, { user: caller, type: 'system_add_to_channel', props });
  audit(call, `channels/${row.id}/members`, `name=${row.name} user_id=${user.id}`);
  return user;
}

function removeMember(call: Call) {
  const { world, params } = call;
  const row = readable(call);
  if (row.name === 'town-square') refuse(400, 'api.channel.remove.default.app_error');
  const members = world.channelMembers.get(row.id) ?? new Map<string, ChannelMember>();
  found(members, params.user, 'app.channel.get_member.missing.app_error');
  members.delete(params.user ?? '');
  const user = found(world.users, params.user, 'app.user.missing_account.const');
  addSystemPost(world, row, { user, type: 'system_remove_from_channel' });
  return done();
}
