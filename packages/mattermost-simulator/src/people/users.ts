import { done, json, refuse } from '../answer.ts';
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
import type { User } from '../model.ts';
import { deletePersonForever } from '../posts/deletion.ts';
import { userRow } from '../render.ts';
import { isOn } from '../settings.ts';
import type { World } from '../world.ts';
import { addUser } from './add-user.ts';
import { switchBot } from './bots.ts';
import { addSession, endSessions } from './sessions.ts';

const MISSING = 'app.user.missing_account.const';

export const USER_ROUTES: Route[] = [
  { call: 'POST users', by: 'anybody', run: createUser },
  { call: 'POST users/login', by: 'anybody', run: logIn },
  {
    call: 'POST users/password/reset/send',
    by: 'anybody',
    run: (call) => {
      const email = text(fields(call).email);
      const isKnown = [...call.world.users.values()].some((user) => user.email === email);
      if (isKnown) call.world.mails.push({ to: email, subject: 'Reset your password' });
      return done();
    },
  },
  { call: 'GET users', by: 'user', run: listUsers },
  {
    call: 'GET users/stats',
    by: 'user',
    run: ({ world }) => json(200, { total_users_count: [...world.users.values()].filter((u) => !u.is_bot).length }),
  },
  {
    call: 'GET users/stats/filtered',
    by: 'admin',
    run: ({ world, query }) => json(200, { total_users_count: selectUsers(world, query).length }),
  },
  { call: 'POST users/status/ids', by: 'user', run: listStatuses },
  { call: 'GET reports/users', by: 'admin', run: reportUsers },
  { call: 'GET users/:user', by: 'user', run: (call) => json(200, userRow(user(call))) },
  { call: 'GET users/:user/status', by: 'user', run: (call) => json(200, status(user(call))) },
  {
    call: 'GET users/:user/audits',
    by: 'user',
    run: ({ world, params, query }) =>
      json(
        200,
        pageOf(
          world.audits.filter((entry) => entry.user_id === params.user),
          query,
        ),
      ),
  },
  { call: 'PUT users/:user/roles', by: 'admin', run: setRoles },
  { call: 'PUT users/:user/active', by: 'user', run: (call) => setActive(call, fields(call).active === true) },
  { call: 'PUT users/:user/password', by: 'admin', run: setPassword },
  { call: 'DELETE users/:user', by: 'user', run: deleteUser },
  {
    call: 'POST users/:user/demote',
    by: 'admin',
    run: () => refuse(501, 'api.team.demote_user_to_guest.license.error'),
  },
];

const user = ({ world, params }: Call) => found(world.users, params.user, MISSING);

/** The first person of an empty server becomes its admin; after that only admins create people. */
function createUser(call: Call) {
  const { world, caller } = call;
  const body = fields(call);
  const isFirst = world.users.size === 0;
  const isOpen = isOn(world.settings, 'TeamSettings', 'EnableOpenServer');
  if (!isFirst && !isOpen && !isAdmin(caller)) refuse(403, 'api.user.create_user.no_open_server');
  const names = { first_name: text(body.first_name), last_name: text(body.last_name), position: text(body.position) };
  const account = { username: text(body.username), email: text(body.email), password: text(body.password) };
  const roles = isFirst ? 'system_admin system_user' : 'system_user';
  return json(201, userRow(addUser(world, { ...account, ...names, roles })));
}

function logIn(call: Call) {
  const { world } = call;
  const { login_id, password } = fields(call);
  const person = [...world.users.values()].find((each) => each.email === login_id || each.username === login_id);
  if (!person || person.is_bot || person.password !== password) {
    return refuse(401, 'api.user.login.invalid_credentials_email_username');
  }
  if (person.delete_at > 0) refuse(401, 'api.user.login.inactive.app_error');
  person.last_login = world.now();
  return json(200, userRow(person), { token: addSession(world, person).token });
}

/** Deactivated people are in the list, unless the query says `active=true`. */
function selectUsers(world: World, query: URLSearchParams): User[] {
  const members = world.teamMembers.get(query.get('in_team') ?? '');
  return [...world.users.values()].filter((each) => {
    if (query.get('in_team') && (members?.get(each.id)?.delete_at ?? 1) > 0) return false;
    return !asks(query, 'active') || each.delete_at === 0;
  });
}

function listUsers({ world, query }: Call) {
  const users = selectUsers(world, query).sort((a, b) => (a.username < b.username ? -1 : 1));
  return json(200, pageOf(users, query).map(userRow));
}

function status({ id, last_activity_at }: User) {
  return { user_id: id, status: 'offline', manual: false, last_activity_at, dnd_end_time: 0 };
}

function listStatuses(call: Call) {
  const users = list(call).flatMap((id) => call.world.users.get(text(id)) ?? []);
  return json(200, users.map(status));
}

function reportUsers({ world, query }: Call) {
  const size = Number(query.get('page_size') ?? 50);
  if (size < 1 || size > 100) refuse(400, 'api.getUsersForReporting.invalid_page_size');
  const people = [...world.users.values()].filter((each) => !each.is_bot);
  const sorted = people.sort((a, b) => (a.username < b.username ? -1 : 1));
  const from = sorted.findIndex((each) => each.id === query.get('from_id')) + 1;
  const rows = sorted.slice(from, from + size);
  const more = (each: User) => ({
    last_login: each.last_login,
    last_status_at: each.last_activity_at,
    days_active: 0,
    total_posts: 0,
  });
  return json(
    200,
    rows.map((each) => ({ ...userRow(each), ...more(each) })),
  );
}

function setRoles(call: Call) {
  const person = user(call);
  const roles = text(fields(call).roles);
  if (/manager|read_only/.test(roles)) refuse(400, 'api.user.update_user_roles.license.app_error');
  person.roles = roles;
  audit(call, `users/${person.id}/roles`, `user=${person.id} roles=${roles}`);
  return done();
}

/** A person's bots are disabled with them, and stay so. Nothing protects the last admin, only oneself. */
function setActive(call: Call, active: boolean) {
  const { world, caller } = call;
  const person = user(call);
  if (!isAdmin(caller) || caller.id === person.id) refuse(403, 'api.user.update_active.permissions.app_error');
  const most = world.limits.maxUsersHardLimit ?? 0;
  if (active && [...world.users.values()].filter((u) => !u.is_bot && u.delete_at === 0).length >= most) {
    refuse(400, 'app.user.update_active.user_limit.exceeded');
  }
  person.delete_at = active ? 0 : world.now();
  person.update_at = world.now();
  if (!active) endSessions(world, person.id);
  const disables = isOn(world.settings, 'ServiceSettings', 'DisableBotsWhenOwnerIsDeactivated');
  for (const bot of world.bots.values()) {
    if (!active && disables && bot.owner_id === person.id) switchBot(world, bot, false);
  }
  audit(call, `users/${person.id}/active`, `user_id=${person.id} active=${active}`);
  return done();
}

/** Sessions go on after a new password. */
function setPassword(call: Call) {
  const person = user(call);
  person.password = text(fields(call).new_password);
  person.last_password_update = call.world.now();
  return done();
}

function deleteUser(call: Call) {
  if (!asks(call.query, 'permanent')) return setActive(call, false);
  const { world, params } = call;
  if (!isOn(world.settings, 'ServiceSettings', 'EnableAPIUserDeletion')) {
    refuse(401, 'api.user.delete_user.not_enabled.app_error');
  }
  requireAdmin(call);
  const person = user(call);
  deletePersonForever(world, person.id);
  endSessions(world, params.user ?? '');
  return done();
}
