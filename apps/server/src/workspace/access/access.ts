import { isAdminOfTeam } from '@steward/contract/users/roles';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Guard } from '#platform/http/http.ts';
import { readSessionCookie } from '#workspace/sessions/cookies.ts';
import {
  findSession,
  recordSessionUse,
  type SessionHolder,
  sessionLimits,
} from '#workspace/sessions/sessions.store.ts';
import { type Service, serviceGuard } from './service-access.ts';

/** Somebody who is signed in. */
export interface SignedIn {
  personId: string;
  sessionId: string;
}

/** An admin or owner of the team in the path. */
export interface TeamAdmin extends SignedIn {
  teamId: string;
}

/** The sentences that routes state: who may call (trust §6). */
export interface Access {
  /** Anybody; for calls that check by themselves. */
  anyone: Guard<null>;
  /** Anybody; told who it is when there is a session. */
  anyoneKnown: Guard<SignedIn | null>;
  /** Holder of a live session. */
  signedIn: Guard<SignedIn>;
  /** The same, without counting as use: what the page asks by itself must not keep a session alive (trust G5). */
  signedInPolling: Guard<SignedIn>;
  /** Admin or owner of `:teamId`. Members, strangers and unknown teams get one and the same refusal. */
  teamAdmin: Guard<TeamAdmin>;
  /** Holder of a service token of `:teamId`; a session means nothing here. */
  service: Guard<Service>;
}

/** Guards over the session cookie. */
export function createAccess(deps: Deps): Access {
  const limits = sessionLimits(deps.env);

  async function findSessionHolder(
    request: FastifyRequest,
    options: { teamId?: string; counts: boolean },
  ): Promise<SessionHolder | undefined> {
    const token = readSessionCookie(deps.env, request);
    if (token === undefined) return undefined;
    const holder = await findSession(deps.db, { token, teamId: options.teamId, limits });
    if (holder?.is_stale && options.counts) await recordSessionUse(deps.db, holder.session_id);
    return holder;
  }

  async function signedIn(request: FastifyRequest, counts: boolean): Promise<SignedIn> {
    const holder = await findSessionHolder(request, { counts });
    if (!holder) refuse('session.required');
    return { personId: holder.person_id, sessionId: holder.session_id };
  }

  return {
    anyone: async () => null,
    async anyoneKnown(request) {
      const holder = await findSessionHolder(request, { counts: true });
      return holder ? { personId: holder.person_id, sessionId: holder.session_id } : null;
    },
    signedIn: (request) => signedIn(request, true),
    signedInPolling: (request) => signedIn(request, false),
    async teamAdmin(request) {
      const { teamId = '' } = request.params as { teamId?: string };
      const holder = await findSessionHolder(request, { teamId: storable(teamId), counts: true });
      if (!holder) refuse('session.required');
      if (!isAdminOfTeam(holder.roles) || holder.roles.includes('zendesk')) refuse('team.admin_required');
      return { personId: holder.person_id, sessionId: holder.session_id, teamId };
    },
    service: serviceGuard(deps),
  };
}

/** An id from a path may hold anything; what PostgreSQL could not even compare belongs to no team. */
function storable(id: string): string {
  return /^[a-z0-9]{26}$/.test(id) ? id : '';
}
