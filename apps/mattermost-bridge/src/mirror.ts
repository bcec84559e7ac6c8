// Describes the server to Steward: people, channels, and messages without their text.
import type { Channel, Person, Row, Team } from './answers.ts';
import type { Mattermost } from './mattermost.client.ts';
import { type Actor, isPrivileged } from './people.ts';
import {
  type ChannelToRead,
  PAGE_MOST,
  type RemoteChannel,
  type RemoteMessage,
  type RemoteUser,
  type Steward,
  sendList,
} from './steward.client.ts';
import { listAll, listChanges, listChannels, listPages, sweepChannel } from './sweep.ts';

/** The end of the year 9999. An admin may date a message as far as they like. */
const LATEST = 253_402_300_799_999;
const toTime = (ms: number) => Math.min(LATEST, Math.max(0, ms));

function toRemoteMessage({ id, user_id, root_id, original_id, size, ...row }: Row): RemoteMessage {
  return {
    id,
    user_id,
    root_id,
    original_id,
    size,
    kind: row.type,
    created_at: toTime(row.create_at),
    updated_at: toTime(row.update_at),
    edited_at: toTime(row.edit_at),
    deleted_at: toTime(row.delete_at),
    // The server withholds sizes of deleted messages and versions.
    files: row.file_ids.map((file) => ({ id: file, size: row.files?.find((each) => each.id === file)?.size ?? null })),
  };
}

/** Sends all people of the connected teams, or of the whole server if direct messages are connected. */
export async function sendUsers(steward: Steward, actor: Actor): Promise<number> {
  const teams = await listTeamsByPerson(actor.mattermost);
  const bots = await listAll(actor.mattermost, 'listBots');
  const owners = new Set(bots.filter(({ delete_at }) => delete_at === 0).map(({ owner_id }) => owner_id));
  return sendList(steward, { kind: 'users', rows: describePeople(actor, { teams, owners }) });
}

/** Members of archived teams aren't listed: such a membership gives no access. */
async function listTeamsByPerson(mattermost: Mattermost): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const teams of listPages(mattermost, 'listTeams')) {
    for (const { id } of teams.filter((team: Team) => team.delete_at === 0)) {
      for await (const members of listPages(mattermost, 'listTeamMembers', { team: id })) {
        for (const { user_id, delete_at } of members) {
          if (delete_at === 0) found.set(user_id, [...(found.get(user_id) ?? []), id]);
        }
      }
    }
  }
  return found;
}

interface Belongings {
  teams: ReadonlyMap<string, string[]>;
  owners: ReadonlySet<string>;
}

async function* describePeople(actor: Actor, { teams, owners }: Belongings): AsyncGenerator<RemoteUser[]> {
  const { mattermost, scope } = actor;
  for await (const people of listPages(mattermost, 'listPeople')) {
    const described = people.map((person) => toRemoteUser(actor, person, { teams, owners }));
    yield described.filter(({ team_ids }) => scope.directMessages || team_ids.some((id) => scope.teams.has(id)));
  }
}

function toRemoteUser({ me, owner }: Actor, person: Person, { teams, owners }: Belongings): RemoteUser {
  const { id, username, email, first_name, last_name, is_bot } = person;
  return {
    id,
    username,
    email,
    is_bot,
    name: `${first_name} ${last_name}`.trim(),
    roles: person.roles.split(' ').filter(Boolean),
    team_ids: teams.get(id) ?? [],
    owns_bots: owners.has(id),
    is_protected: isPrivileged(person) || id === me.id || id === owner,
    deactivated_at: toTime(person.delete_at),
  };
}

export const sendChannels = (steward: Steward, actor: Actor): Promise<number> =>
  sendList(steward, { kind: 'channels', rows: describeChannels(actor) });

async function* describeChannels({ mattermost, scope }: Actor): AsyncGenerator<RemoteChannel[]> {
  for await (const channel of listChannels(mattermost, scope)) {
    const { id, type, team_id, display_name, delete_at } = channel;
    const isDirect = type === 'D' || type === 'G';
    const member_ids = isDirect ? await listMembers(mattermost, channel) : [];
    yield [{ id, type, team_id, name: isDirect ? '' : display_name, member_ids, archived_at: toTime(delete_at) }];
  }
}

/** The name of a direct channel is the ids of its two people; somebody who was removed is still in it. */
async function listMembers(mattermost: Mattermost, { id, type, name }: Channel): Promise<string[]> {
  if (type === 'D') return [...new Set(name.split('__'))];
  const members = await listAll(mattermost, 'listChannelMembers', { channel: id });
  return members.map(({ user_id }) => user_id);
}

interface Sending {
  steward: Steward;
  mattermost: Mattermost;
  now: () => number;
}

/** Sends all messages of a channel. Returns when the reading began, by the clock of the server. */
export async function sendMessages({ steward, mattermost, now }: Sending, channel: string): Promise<number> {
  const startedAt = now();
  // Asked first: what changes while the pages are read then shows as a change.
  const hint = (await mattermost.readHint(channel)) ?? '';
  const began = mattermost.time();
  const rows = describeRows(mattermost, channel);
  const seconds = () => Math.max(0, Math.round((now() - startedAt) / 1_000));
  await sendList(steward, { kind: 'messages', channel_id: channel, rows, hint, seconds });
  return began;
}

async function* describeRows(mattermost: Mattermost, channel: string): AsyncGenerator<RemoteMessage[]> {
  for await (const rows of sweepChannel(mattermost, channel)) yield rows.map(toRemoteMessage);
}

/**
 * Sends what changed in a channel, if its hint is another one now. Returns false if nothing changed. Messages that are imported or
 * dated back change no hint; a complete list finds them.
 */
export async function sendChanges(
  steward: Steward,
  mattermost: Mattermost,
  { id, hint }: Pick<ChannelToRead, 'id' | 'hint'>,
): Promise<boolean> {
  const now = await mattermost.readHint(id, hint);
  if (now === undefined) return false;
  // The hint ends with the time of the newest change.
  const since = Number(/(\d{10,})$/.exec(hint)?.[1] ?? 0);
  const changed = (await listChanges(mattermost, id, Math.max(1, since - 1))).map(toRemoteMessage);
  for (let at = 0; at === 0 || at < changed.length; at += PAGE_MOST) {
    const isLast = at + PAGE_MOST >= changed.length;
    const messages = changed.slice(at, at + PAGE_MOST);
    await steward.call('saveMessages', { body: { channel_id: id, messages, ...(isLast && { hint: now }) } });
  }
  return true;
}
