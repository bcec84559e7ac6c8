import { SCIM_CALLS_PER_MINUTE } from '@steward/contract/api/limits';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Guard, getOrigin } from '#platform/http/http.ts';
import type { Provisioner } from '../provisioning.ts';
import { findScimToken, recordScimTokenUse } from '../tokens.store.ts';
import { createMinuteCounter } from './minute-counter.ts';

const BEARER = /^Bearer +(stwp_[A-Za-z0-9_-]{43})$/i;

export const SCIM_BAD_TOKENS = describeLimit({
  name: 'scim-bad-token',
  counts: 'provisioning calls of a network without a valid token',
  attempts: 60,
  seconds: 600,
});

/**
 * Checks `Authorization: Bearer …` and ignores session cookies. The token identifies the team. Other clients' failures never
 * block a valid token: identity providers send requests for all of their customers from the same IP addresses.
 */
export function createProvisionerGuard(deps: Deps): Guard<Provisioner> {
  const countCall = createMinuteCounter(SCIM_CALLS_PER_MINUTE);
  return async (request: FastifyRequest) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const known = token === undefined ? undefined : await findScimToken(deps.db, token);
    if (!known) return refuseToken(deps, request);
    const seconds = deps.env.LIMITS === 'off' ? 0 : countCall(known.team_id);
    if (seconds > 0) refuse('rate.limited', 'Too many requests. Try again in a minute.', seconds);
    if (known.is_stale) await recordScimTokenUse(deps.db, known);
    return { teamId: known.team_id, tokenId: known.id, createdBy: known.created_by };
  };
}

async function refuseToken(deps: Deps, request: FastifyRequest): Promise<never> {
  const { address } = getOrigin(request);
  if (deps.env.LIMITS !== 'off' && !(await deps.throttle.allows(SCIM_BAD_TOKENS, address))) {
    refuse('rate.limited', undefined, await deps.throttle.secondsLeft(SCIM_BAD_TOKENS, address));
  }
  return refuse('scim.token_required');
}
