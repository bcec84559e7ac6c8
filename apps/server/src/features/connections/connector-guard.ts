import { LEASE_HEADER } from '@steward/contract/connections/connector';
import type { FastifyRequest } from 'fastify';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Guard, getOrigin, type Origin } from '#platform/http/http.ts';
import { findServerByToken, lockLease } from './servers.store.ts';

/** The bridge of one connected server. */
export interface Connector {
  serverId: string;
  lease: string;
}

const BEARER = /^Bearer +(stc_[A-Za-z0-9_-]{43})$/i;

/** Counts calls without a valid token by IP address. */
const CONNECTOR_BAD_TOKENS = describeLimit({
  name: 'connector-bad-token',
  counts: 'calls of a network with an invalid connector token',
  attempts: 60,
  seconds: 600,
});

/** Checks `Authorization: Bearer …` and ignores session cookies. The token identifies the connection. */
export function connectorGuard(deps: Deps): Guard<Connector> {
  return async (request, trx) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) refuse('connector.token_required');
    const server = await findServerByToken(trx ?? deps.db, token);
    if (!server) return refuseToken(deps, request);
    const lease = request.headers[LEASE_HEADER];
    return { serverId: server.id, lease: typeof lease === 'string' ? lease : '' };
  };
}

async function refuseToken(deps: Deps, request: FastifyRequest): Promise<never> {
  const { address } = getOrigin(request);
  if (deps.env.LIMITS !== 'off' && !(await deps.throttle.allows(CONNECTOR_BAD_TOKENS, address)))
    refuse('rate.limited', undefined, await deps.throttle.secondsLeft(CONNECTOR_BAD_TOKENS, address));
  return refuse('connector.token_required');
}

/** A call of the bridge that has the lease. */
export interface BridgeCall {
  deps: Deps;
  serverId: string;
  origin: Origin;
}

/** A transaction of the bridge that has the lease. No other bridge can take it before the commit. */
export async function inLease<T>(
  deps: Deps,
  authorize: (trx: Trx) => Promise<Connector>,
  work: (trx: Trx, serverId: string) => Promise<T>,
): Promise<T> {
  return inTransaction(deps.db, async (trx) => {
    const { serverId, lease } = await authorize(trx);
    if (!(await lockLease(trx, serverId, lease))) refuse('connector.leased');
    return work(trx, serverId);
  });
}
