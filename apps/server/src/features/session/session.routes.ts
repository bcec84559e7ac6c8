// Sessions: users sign in and out, list their teams, and reset their password by email.
// Owns the tables sessions, known_addresses, known_devices, presence and links.

import { createHash } from 'node:crypto';
import {
  checkResetLink,
  cookieLogin,
  getMe,
  listStatuses,
  login,
  logout,
  resetPassword,
  type Status,
  sendPasswordReset,
} from '@steward/contract/session';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { listTeamMembers, listTeams, type TeamMember } from '@steward/contract/session/teams';
import type { User } from '@steward/contract/users';
import { hasIntegrationRole } from '@steward/contract/users/roles';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { listOpenTeams, opensTeam, type SignedIn } from '#workspace/access/enter-team.ts';
import { getRelyingParty } from '#workspace/access/factors/relying-party.ts';
import {
  clearSessionCookies,
  readDeviceCookie,
  readSessionCookie,
  setSessionCookies,
} from '#workspace/access/sessions/cookies.ts';
import { findActiveRoles } from '#workspace/users/members.store.ts';
import { listUserMemberships, listUserTeams } from '#workspace/users/teams.store.ts';
import { toRoles, toUser } from '#workspace/users/user.ts';
import { findUser, recordPresence } from '#workspace/users/users.store.ts';
import * as passkeys from './passkey-sign-in.actions.ts';
import * as passwords from './password-reset.actions.ts';
import { listVisibleStatuses } from './presence.store.ts';
import { signIn, signOut } from './sign-in.actions.ts';

/** Length of a digest that identifies a set of memberships: 96 bits. */
const VERSION_LENGTH = 16;
const DONE = { status_code: 200 } as const;

export function sessionRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const { env } = deps;

  serve(app, login, access.anyone, async ({ body, origin, request, reply }) => {
    const [earlier, device] = [readSessionCookie(env, request), readDeviceCookie(env, request)];
    const session = await signIn(deps, { credentials: body, origin, earlier, device });
    setSessionCookies(env, reply, session);
    deps.activity.note(session.userId);
    return toUser(session.user);
  });

  passkeyRoutes(app, deps, access);

  serve(app, cookieLogin, access.signedIn, async ({ who }) => {
    await recordPresence(deps.db, who.userId);
    deps.activity.note(who.userId);
    return getUser(deps, who.userId, who);
  });
  serve(app, getMe, access.signedIn, async ({ who }) => getUser(deps, who.userId, who));

  serve(app, logout, access.anyone, async ({ request, reply, origin }) => {
    const token = readSessionCookie(env, request);
    const provider = token === undefined ? undefined : await signOut(deps, token, origin);
    clearSessionCookies(env, reply);
    return { ...DONE, ...(provider !== undefined && { sso_provider: provider }) };
  });

  serve(app, listStatuses, access.signedInPolling, ({ body, who }) => getStatuses(deps, who, body));

  serve(app, listTeams, own(access.signedIn), async ({ who }) => {
    const teams = await listUserTeams(deps.db, who.userId);
    return teams.filter(({ id }) => opensTeam(who, id));
  });
  serve(app, listTeamMembers, own(access.signedInPolling), ({ who }) => listMembers(deps, who));

  serve(app, sendPasswordReset, access.anyoneKnown, async ({ body, who, origin }) => {
    await passwords.sendPasswordReset(deps, body.email, { who, origin });
    return DONE;
  });

  serve(app, checkResetLink, access.anyoneKnown, ({ body, who, origin }) =>
    passwords.checkResetLink(deps, { ...body, who, origin }),
  );

  serve(app, resetPassword, access.anyone, async ({ body, origin }) => {
    await passwords.resetPassword(deps, body, origin);
    return DONE;
  });
}

function passkeyRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const { env } = deps;

  serve(app, getPasskeyOptions, access.anyoneKnown, ({ who, request }) =>
    passkeys.getPasskeyOptions(deps, request, who),
  );
  serve(app, loginWithPasskey, access.anyone, async ({ body, origin, request, reply }) => {
    const [earlier, device] = [readSessionCookie(env, request), readDeviceCookie(env, request)];
    const party = getRelyingParty(env, request);
    const session = await passkeys.signInWithPasskey(deps, { ...body, origin, earlier, device, party });
    setSessionCookies(env, reply, session);
    deps.activity.note(session.userId);
    return getUser(deps, session.userId);
  });
}

/** Every open portal polls its own row. This reads no other user, and no team's requirements. */
async function getStatuses({ db }: Deps, who: SignedIn, ids: readonly string[]): Promise<Status[]> {
  await recordPresence(db, who.userId);
  const teamIds = ids.some((id) => id !== who.userId) ? await listOpenTeams(db, who) : [];
  const statuses = await listVisibleStatuses(db, { callerId: who.userId, teamIds }, ids);
  const own = statuses.find(({ user_id }) => user_id === who.userId);
  if (own) own.teams_version = getTeamsVersion(await listMembers({ db }, who));
  return statuses;
}

async function listMembers({ db }: Pick<Deps, 'db'>, who: SignedIn): Promise<TeamMember[]> {
  const members = await listUserMemberships(db, who.userId);
  const open = members.filter(({ team_id }) => opensTeam(who, team_id));
  return open.map((member) => ({ ...member, roles: toRoles(member.roles) }));
}

/** Equal on every node, so that a portal may poll any of them. */
function getTeamsVersion(members: readonly TeamMember[]): string {
  const sorted = members.map((member) => ({ ...member, roles: member.roles.toSorted() }));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, VERSION_LENGTH);
}

/** Lets users read their own data only. Unknown ids and other users' ids get the same refusal. */
function own(guard: Access['signedIn']): Access['signedIn'] {
  return async (request, trx) => {
    const who: SignedIn = await guard(request, trx);
    if ((request.params as { userId: string }).userId !== who.userId) refuse('session.own_id_only');
    return who;
  };
}

/**
 * The user as sign-in returns it, with the roles of the teams that the session opens. Zendesk users post tickets and never
 * sign in.
 */
async function getUser({ db }: Deps, userId: string, who?: SignedIn): Promise<User> {
  const user = await findUser(db, userId);
  if (!user || hasIntegrationRole(user.roles)) refuse('session.required');
  const teamId = who?.session.only_team_id ?? null;
  if (teamId === null) return toUser(user);
  return toUser({ ...user, roles: (await findActiveRoles(db, teamId, userId)) ?? [] });
}
