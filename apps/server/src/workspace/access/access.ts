import { isId } from '@steward/contract/api/fields';
import { hasIntegrationRole, isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { FastifyRequest } from 'fastify';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Guard, getAddress } from '#platform/http/http.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { listSharedAccounts } from '#workspace/users/members.store.ts';
import { requireTeamSecurity, type SignedIn } from './enter-team.ts';
import { readSessionCookie } from './sessions/cookies.ts';
import {
  findSession,
  recordSessionUse,
  type SessionHolder,
  type SessionSearch,
  sessionLimits,
} from './sessions/sessions.store.ts';
import { findServiceToken, recordServiceTokenUse } from './tokens.store.ts';

export interface TeamAdmin extends SignedIn {
  teamId: string;
  roles: readonly string[];
}

export interface Access extends AccountAccess {
  /** Anyone; for calls with checks of their own. */
  anyone: Guard<null>;
  /** Anyone, with the user if there is a session. */
  anyoneKnown: Guard<SignedIn | null>;
  /** Holder of an active session. */
  signedIn: Guard<SignedIn>;
  /** The same without extending the session: background requests of the page must not keep it alive. */
  signedInPolling: Guard<SignedIn>;
  /** Admin or owner of `:teamId`. Members, other users and unknown teams get the same refusal. */
  teamAdmin: Guard<TeamAdmin>;
  /** The same without extending the session. */
  teamAdminPolling: Guard<TeamAdmin>;
  /** Owner of `:teamId`; its other admins get an error that says so. */
  teamOwner: Guard<TeamAdmin>;
  /** Holder of a service token of `:teamId`; a session is ignored. */
  service: Guard<Service>;
}

interface Extends {
  extendsSession: boolean;
}

export function createAccess(deps: Deps): Access {
  const toSearch = createSearches(deps);

  async function findHolder(
    search: SessionSearch | undefined,
    { extendsSession, trx }: Extends & { trx: Trx | undefined },
  ): Promise<SessionHolder | undefined> {
    const holder = search && (await findSession(trx ?? deps.db, search));
    if (holder?.is_stale && extendsSession && !trx) {
      await recordSessionUse(deps.db, holder.session_id);
      deps.activity.note(holder.person_id);
    }
    return holder;
  }

  const signedIn =
    ({ extendsSession }: Extends): Guard<SignedIn> =>
    async (request, trx) => {
      const holder = await findHolder(toSearch(request), { extendsSession, trx });
      return toSignedIn(request, holder ?? refuse('session.required'));
    };

  const teamAdmin =
    ({ extendsSession }: Extends): Guard<TeamAdmin> =>
    async (request, trx) => {
      const { teamId = '' } = request.params as { teamId?: string };
      const holder = await findHolder(toSearch(request, toStorableId(teamId)), { extendsSession, trx });
      return toTeamAdmin(request, { holder: holder ?? refuse('session.required'), teamId });
    };

  return {
    anyone: async () => null,
    async anyoneKnown(request, trx) {
      const holder = await findHolder(toSearch(request), { extendsSession: true, trx });
      return holder ? toSignedIn(request, holder) : null;
    },
    signedIn: signedIn({ extendsSession: true }),
    signedInPolling: signedIn({ extendsSession: false }),
    ...createAccountAccess(deps, signedIn({ extendsSession: true })),
    teamAdmin: teamAdmin({ extendsSession: true }),
    teamAdminPolling: teamAdmin({ extendsSession: false }),
    async teamOwner(request, trx) {
      const who = await teamAdmin({ extendsSession: true })(request, trx);
      if (!isOwnerOfTeam(who.roles)) refuse('team.owner_required');
      return who;
    },
    service: serviceGuard(deps),
  };
}

/** Returns the search for the session of a request's cookie; undefined without a cookie. */
function createSearches({ env }: Deps) {
  const limits = sessionLimits(env);
  return (request: FastifyRequest, teamId?: string): SessionSearch | undefined => {
    const token = readSessionCookie(env, request);
    return token === undefined ? undefined : { tokenHash: hashToken(token), teamId, limits };
  };
}

/** Refuses everyone but admins and owners whose session meets the rules of the team. */
function toTeamAdmin(
  request: FastifyRequest,
  { holder, teamId }: { holder: SessionHolder; teamId: string },
): TeamAdmin {
  if (!isAdminOfTeam(holder.roles) || hasIntegrationRole(holder.roles)) refuse('team.admin_required');
  const who = { ...toSignedIn(request, holder), teamId, roles: holder.roles };
  requireTeamSecurity(holder.security, who);
  return who;
}

function toSignedIn(request: FastifyRequest, holder: SessionHolder): SignedIn {
  const { person_id, session_id, roles: _roles, is_stale: _isStale, security: _security, ...session } = holder;
  return { userId: person_id, sessionId: session_id, session, address: getAddress(request) };
}

/** An id from a path can contain characters that PostgreSQL can't even compare; such an id belongs to no team. */
export function toStorableId(id: string): string {
  return isId(id) ? id : '';
}

/** Guards of calls about the caller's account: a team's identity provider must not reach what belongs to other teams. */
export interface AccountAccess {
  /** Refuses a session by single sign-on of one team if the account has other teams. */
  account: Guard<SignedIn>;
  /** Guards proofs of identity, such as the password, and exports of all data: refuses single sign-on. */
  credentials: Guard<SignedIn>;
}

function createAccountAccess(deps: Deps, signedIn: Guard<SignedIn>): AccountAccess {
  return {
    async account(request, trx) {
      const who = await signedIn(request, trx);
      if (!(await coversAccount(trx ?? deps.db, who))) refuse('session.team_only');
      return who;
    },
    async credentials(request, trx) {
      const who = await signedIn(request, trx);
      if (who.session.method === 'sso') refuse('session.team_only');
      return who;
    },
  };
}

/**
 * Tells if a session may change the account. Single sign-on of one team may not if the account has others, or is deactivated in
 * one, which may activate it again.
 */
export async function coversAccount(db: Database | Trx, { userId, session }: SignedIn): Promise<boolean> {
  const { only_team_id: teamId } = session;
  if (teamId === null) return true;
  return (await listSharedAccounts(db, teamId, [userId])).length === 0;
}

export interface Service {
  tokenId: string;
  teamId: string;
  sourceId: string;
  kinds: ReadonlySet<string>;
  /** The service may name the users that its lines are from. */
  speaksForUsers: boolean;
}

const BEARER = /^Bearer +(stw_[A-Za-z0-9_-]{43})$/i;

/** Guard that checks `Authorization: Bearer …` and ignores session cookies. */
function serviceGuard(deps: Deps): Guard<Service> {
  return async (request, trx) => {
    const { teamId = '' } = request.params as { teamId?: string };
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const known = token === undefined ? undefined : await findServiceToken(trx ?? deps.db, token);
    if (!known) refuse('token.required');
    if (known.team_id !== teamId) refuse('token.other_team');
    if (known.is_stale && !trx) await recordServiceTokenUse(deps.db, known);
    const { id: tokenId, source_id: sourceId, speak_for_users: speaksForUsers } = known;
    return { tokenId, teamId, sourceId, kinds: new Set(known.kinds), speaksForUsers };
  };
}
