import { done, forbid, json, refuse } from '../answer.ts';
import { asks, type Call, fields, found, isAdmin, list, pageOf, type Route, requireAdmin, text } from '../call.ts';
import { addChannel, addToChannel } from '../channels/add-channel.ts';
import type { Team, TeamMember, User } from '../model.ts';
import { addSystemPost } from '../posts/add-post.ts';
import { deleteTeamForever } from '../posts/deletion.ts';
import { teamMemberRow, teamRow } from '../render.ts';
import { isOn } from '../settings.ts';
import type { World } from '../world.ts';

const MISSING = 'app.team.get.find.app_error';

export const TEAM_ROUTES: Route[] = [
  {
    call: 'POST teams',
    by: 'user',
    run: (call) => {
      const { world, caller } = call;
      const { name, display_name, type } = fields(call);
      const isTaken = [...world.teams.values()].some((each) => each.name === name);
      if (isTaken) refuse(400, 'app.team.save.existing.app_error');
      const named = { name: text(name), display_name: text(display_name), type: text(type) };
      const team = addTeam(world, { ...named, email: caller.email });
      addToTeam(world, team, caller).scheme_admin = true;
      return json(201, teamRow(team));
    },
  },
  { call: 'GET teams', by: 'user', run: listTeams },
  { call: 'GET teams/:team', by: 'user', run: (call) => json(200, teamRow(team(call))) },
  { call: 'DELETE teams/:team', by: 'user', run: deleteTeam },
  {
    call: 'POST teams/:team/restore',
    by: 'admin',
    run: (call) => {
      const row = team(call);
      row.delete_at = 0;
      row.update_at = call.world.now();
      return json(200, teamRow(row));
    },
  },
  {
    call: 'GET teams/:team/stats',
    by: 'user',
    run: ({ world, params }) => {
      const users = members(world, params.team).flatMap(({ user_id }) => world.users.get(user_id) ?? []);
      const active = users.filter((user) => user.delete_at === 0).length;
      return json(200, { team_id: params.team, total_member_count: users.length, active_member_count: active });
    },
  },
  {
    call: 'GET teams/:team/members',
    by: 'user',
    run: ({ world, params, query }) => json(200, pageOf(members(world, params.team), query).map(teamMemberRow)),
  },
  {
    call: 'GET teams/:team/members/:user',
    by: 'user',
    run: ({ world, params }) => {
      const rows = world.teamMembers.get(params.team ?? '') ?? new Map<string, TeamMember>();
      return json(200, teamMemberRow(found(rows, params.user, 'app.team.get_member.missing.app_error')));
    },
  },
  { call: 'POST teams/:team/members', by: 'user', run: addMember },
  { call: 'POST teams/:team/members/batch', by: 'user', run: addMembers },
  { call: 'DELETE teams/:team/members/:user', by: 'user', run: removeMember },
  { call: 'PUT teams/:team/members/:user/schemeRoles', by: 'admin', run: setSchemeRoles },
  {
    call: 'GET users/:user/teams/members',
    by: 'user',
    run: ({ world, params }) =>
      json(
        200,
        [...world.teamMembers.values()].flatMap((rows) => rows.get(params.user ?? '') ?? []).map(teamMemberRow),
      ),
  },
];

const team = ({ world, params }: Call) => found(world.teams, params.team, MISSING);

/** Members that were removed are rows still, but not in the list. */
const members = (world: World, teamId: string | undefined) =>
  [...(world.teamMembers.get(teamId ?? '')?.values() ?? [])].filter((member) => member.delete_at === 0);

export function addTeam(world: World, more: Partial<Team> & { name: string }): Team {
  const now = world.now();
  const row: Team = {
    id: world.id(),
    create_at: now,
    update_at: now,
    delete_at: 0,
    display_name: more.name,
    type: 'O',
    email: '',
    invite_id: world.id(),
    ...more,
  };
  world.teams.set(row.id, row);
  for (const [name, display_name] of [
    ['town-square', 'Town Square'],
    ['off-topic', 'Off-Topic'],
  ] as const) {
    addChannel(world, { team_id: row.id, type: 'O', name, display_name });
  }
  return row;
}

/** Brings the two default channels; channels of an earlier membership don't come back. */
export function addToTeam(world: World, row: Team, user: User): TeamMember {
  const rows = world.teamMembers.get(row.id) ?? new Map<string, TeamMember>();
  world.teamMembers.set(row.id, rows);
  const before = rows.get(user.id);
  if (before?.delete_at === 0) return before;
  const member = { team_id: row.id, user_id: user.id, delete_at: 0, scheme_admin: false };
  rows.set(user.id, member);
  // Favorites, channels and direct messages.
  if (!before) world.history.sidebarCategories += 3;
  for (const channel of world.channels.values()) {
    const isDefault = channel.name === 'town-square' || channel.name === 'off-topic';
    if (channel.team_id === row.id && isDefault && addToChannel(world, channel, user)) {
      addSystemPost(world, channel, { user, type: 'system_join_channel' });
    }
  }
  return member;
}

function listTeams({ world, query, caller }: Call) {
  const mine = (id: string) => world.teamMembers.get(id)?.get(caller.id)?.delete_at === 0;
  const teams = [...world.teams.values()].filter((each) => isAdmin(caller) || (each.delete_at === 0 && mine(each.id)));
  const page = pageOf(teams, query).map(teamRow);
  return json(200, asks(query, 'include_total_count') ? { teams: page, total_count: teams.length } : page);
}

function deleteTeam(call: Call) {
  const { world, query } = call;
  const row = team(call);
  if (!asks(query, 'permanent')) {
    requireTeamAdmin(call);
    row.delete_at = world.now();
    row.update_at = world.now();
    return done();
  }
  if (!isOn(world.settings, 'ServiceSettings', 'EnableAPITeamDeletion')) {
    refuse(401, 'api.user.delete_team.not_enabled.app_error');
  }
  requireAdmin(call);
  deleteTeamForever(world, row.id);
  return done();
}

function requireTeamAdmin({ world, caller, params }: Call): void {
  const isTeamAdmin = world.teamMembers.get(params.team ?? '')?.get(caller.id)?.scheme_admin;
  if (!isAdmin(caller) && !isTeamAdmin) forbid();
}

function addMember(call: Call) {
  requireTeamAdmin(call);
  const user = found(call.world.users, text(fields(call).user_id), 'app.user.missing_account.const');
  return json(201, teamMemberRow(addToTeam(call.world, team(call), user)));
}

/** With `graceful` each person has a result of their own. */
function addMembers(call: Call) {
  requireTeamAdmin(call);
  const { world, query } = call;
  const row = team(call);
  const missing = 'app.user.missing_account.const';
  const ids = list(call).map((each) => text((each as { user_id?: unknown }).user_id));
  if (!asks(query, 'graceful')) {
    return json(
      201,
      ids.map((id) => teamMemberRow(addToTeam(world, row, found(world.users, id, missing)))),
    );
  }
  const results = ids.map((id) => {
    const user = world.users.get(id);
    if (user) return { user_id: id, member: teamMemberRow(addToTeam(world, row, user)), error: null };
    const error = { id: missing, message: 'Unable to find the user.', detailed_error: '', status_code: 404 };
    return { user_id: id, member: null, error };
  });
  return json(201, results);
}

/** Memberships in the team's channels go for good; direct messages and sessions stay. */
function removeMember(call: Call) {
  const { world, params, caller } = call;
  if (caller.id !== params.user) requireTeamAdmin(call);
  const member = world.teamMembers.get(params.team ?? '')?.get(params.user ?? '');
  if (!member) return refuse(400, 'api.team.remove_user_from_team.missing.app_error');
  if (member.delete_at === 0) member.delete_at = world.now();
  for (const channel of world.channels.values()) {
    if (channel.team_id === member.team_id) world.channelMembers.get(channel.id)?.delete(member.user_id);
  }
  return done();
}

function setSchemeRoles(call: Call) {
  const { world, params } = call;
  const rows = world.teamMembers.get(params.team ?? '') ?? new Map<string, TeamMember>();
  found(rows, params.user, 'app.team.get_member.missing.app_error').scheme_admin = fields(call).scheme_admin === true;
  return done();
}
