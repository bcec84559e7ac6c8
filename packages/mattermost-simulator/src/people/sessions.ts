import { done, forbid, json, refuse } from '../answer.ts';
import { audit, type Call, fields, found, isAdmin, pageOf, type Route, text } from '../call.ts';
import type { PersonalToken, Session, User } from '../model.ts';
import { teamMemberRow } from '../render.ts';
import { isOn } from '../settings.ts';
import type { World } from '../world.ts';

const SESSION_MS = 15_552_000_000;
const SESSION_PROPS = {
  browser: 'Unknown/0.0',
  csrf: '',
  isMobile: 'false',
  isOAuthUser: 'false',
  isSaml: 'false',
  is_guest: 'false',
  os: '',
  platform: 'Unknown',
};

/** Finds the caller of a credential. A personal token makes a session again at each use, however often sessions end. */
export function authenticate(world: World, header: string | undefined): { user: User; session: Session } | undefined {
  const value = /^bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';
  const token = [...world.tokens.values()].find((each) => each.token === value);
  const session = world.sessions.get(value);
  const user = world.users.get(token?.user_id ?? session?.user_id ?? '');
  if (!user || user.delete_at > 0) return undefined;
  if (token && !(token.is_active && mayUseTokens(world, user))) return undefined;
  return { user, session: session ?? addSession(world, user, { token: value }) };
}

const mayUseTokens = ({ settings }: World, user: User) =>
  user.is_bot || isOn(settings, 'ServiceSettings', 'EnableUserAccessTokens');

export function addSession(world: World, user: User, more: Partial<Session> = {}): Session {
  const session: Session = {
    id: world.id(),
    token: world.id(),
    user_id: user.id,
    create_at: world.now(),
    is_oauth: false,
    ...more,
  };
  world.sessions.set(session.token, session);
  return session;
}

export function endSessions(world: World, userId: string): void {
  for (const [key, session] of world.sessions) if (session.user_id === userId) world.sessions.delete(key);
}

export const SESSION_ROUTES: Route[] = [
  {
    call: 'POST users/:user/sessions/revoke/all',
    by: 'user',
    run: (call) => {
      const { world, caller, params } = call;
      if (!isAdmin(caller) && caller.id !== params.user) forbid();
      endSessions(world, params.user ?? '');
      audit(call, `users/${params.user}/sessions/revoke/all`, `user_id=${params.user}`);
      return done();
    },
  },
  { call: 'GET users/:user/sessions', by: 'user', run: listSessions },
  { call: 'POST users/:user/tokens', by: 'user', run: createToken },
  {
    call: 'GET users/:user/tokens',
    by: 'user',
    run: ({ world, caller, params, query }) => {
      if (!isAdmin(caller) && caller.id !== params.user) forbid();
      const tokens = [...world.tokens.values()].filter((token) => token.user_id === params.user);
      return json(
        200,
        pageOf(tokens, query).map(({ token: _, ...shown }) => shown),
      );
    },
  },
  {
    call: 'POST users/tokens/disable',
    by: 'user',
    run: (call) => changeToken(call, (token) => (token.is_active = false)),
  },
  {
    call: 'POST users/tokens/enable',
    by: 'user',
    run: (call) => changeToken(call, (token) => (token.is_active = true)),
  },
  {
    call: 'POST users/tokens/revoke',
    by: 'user',
    run: (call) => changeToken(call, (token) => call.world.tokens.delete(token.id)),
  },
];

function listSessions({ world, caller, params }: Call) {
  if (!isAdmin(caller) && caller.id !== params.user) forbid();
  const sessions = [...world.sessions.values()].filter((session) => session.user_id === params.user);
  const teams = [...world.teamMembers.values()].flatMap((members) => members.get(params.user ?? '') ?? []);
  return json(
    200,
    sessions.map((session) => ({
      id: session.id,
      token: '',
      create_at: session.create_at,
      expires_at: session.create_at + SESSION_MS,
      last_activity_at: session.create_at,
      user_id: session.user_id,
      device_id: '',
      roles: caller.roles,
      is_oauth: session.is_oauth,
      expired_notify: false,
      props: SESSION_PROPS,
      team_members: teams.map(teamMemberRow),
      local: false,
    })),
  );
}

/** A token of a person needs the setting, one of a bot doesn't. Only the person gets an email. */
function createToken(call: Call) {
  const { world, caller, params } = call;
  const user = found(world.users, params.user, 'app.user.missing_account.const');
  if (!mayUseTokens(world, user)) refuse(501, 'app.user_access_token.disabled');
  if (!isAdmin(caller)) forbid();
  const description = text(fields(call).description);
  const token = { id: world.id(), token: world.id(), user_id: user.id, description, is_active: true };
  world.tokens.set(token.id, token);
  if (!user.is_bot) world.mails.push({ to: user.email, subject: 'Personal access token added to your account' });
  return json(200, token);
}

function changeToken(call: Call, change: (token: PersonalToken) => void) {
  const { world, caller } = call;
  const token = found(world.tokens, text(fields(call).token_id), 'app.user_access_token.get_by_user.app_error');
  if (!isAdmin(caller) && caller.id !== token.user_id) forbid();
  change(token);
  world.sessions.delete(token.token);
  return done();
}
