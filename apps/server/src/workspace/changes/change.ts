import type { Answer, AnyEndpoint } from '@steward/contract/api/endpoint';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Call, type Guard, serveGuardedOnce } from '#platform/http/http.ts';
import type { FairQueue } from '#platform/jobs/fair-queue.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { claimIdempotencyKey, type RepeatableRequest, saveResponse } from './idempotency.store.ts';

/** Result of a change: its response, and its audit event; null if nothing changed. */
export interface Changed<E extends AnyEndpoint> {
  answer: Answer<E>;
  audit: AuditEvent | null;
}

export const SEALED_FOR = 'idempotency';
const MAC_OF = 'idempotency-request';
const KEY = /^[\x21-\x7e]{1,200}$/;

/** Who changes a team. */
export interface TeamActor {
  teamId: string;
  actorId: string;
}

/** Where the endpoints of a feature are registered, and what their work needs. */
export interface Feature {
  app: FastifyInstance;
  deps: Deps;
}

/**
 * Registers an endpoint that changes something: the change, its audit row, its jobs and the response stored under the
 * caller's Idempotency-Key are one transaction, for a caller who has the right to the change until the commit. `work` must use
 * only `trx` and have no side effects outside of it. With `queue`, heavy requests wait for their turn before they take a
 * connection.
 */
// biome-ignore lint/complexity/useMaxParams: the same signature as serve()
export function serveChange<E extends AnyEndpoint, Who extends SignedIn & { teamId?: string }>(
  feature: Feature & { queue?: FairQueue; mayEndOwnSession?: boolean },
  definition: E,
  guard: Guard<Who>,
  work: (trx: Trx, call: Call<E, Who>) => Promise<Changed<E>>,
): void {
  const changeOnce = async (trx: Trx, call: Call<E, Who>, repeatable?: RepeatableRequest): Promise<Answer<E>> => {
    if (repeatable) {
      const earlier = await claimIdempotencyKey(trx, repeatable);
      if (earlier && !isSameRequest(feature.deps, repeatable, earlier.mac)) refuse('request.key_reused');
      if (earlier) return unsealResponse(feature.deps, earlier.answer) as Answer<E>;
    }
    const { answer, audit } = await work(trx, call);
    if (audit) await addAuditEvent(trx, feature.deps, { ...audit, origin: call.origin });
    // Encrypted: a response may contain a secret that is shown once, and no table may hold it in plain text.
    if (repeatable) await saveResponse(trx, repeatable, feature.deps.secrets.seal(SEALED_FOR, JSON.stringify(answer)));
    return answer;
  };
  const handler = async (call: Call<E, Who>): Promise<Answer<E>> => {
    const repeatable = toRepeatableRequest(feature.deps, definition, call);
    const by = { db: feature.deps.db, authorize: call.authorize, mayEndOwnSession: feature.mayEndOwnSession };
    const change = () => inAuthorizedTransaction(by, (trx, who) => changeOnce(trx, { ...call, who }, repeatable));
    const { userId: user, teamId: key = '' } = call.who;
    return feature.queue === undefined ? change() : feature.queue.run({ key, user }, change);
  };
  serveGuardedOnce(feature.app, definition, guard, handler);
}

/** A version before the encryption may have stored responses of the last 24 hours. */
function unsealResponse(deps: Deps, stored: string): unknown {
  const isSealed = stored.startsWith('v1.');
  return JSON.parse(isSealed ? deps.secrets.open(SEALED_FOR, stored) : stored);
}

/** The stored MAC may be from before a rotation of the key. */
function isSameRequest({ secrets }: Deps, { what }: RepeatableRequest, mac: string): boolean {
  return secrets.verify(MAC_OF, what, mac);
}

function toRepeatableRequest<E extends AnyEndpoint, Who extends { userId: string }>(
  { secrets }: Deps,
  definition: E,
  call: Call<E, Who>,
): RepeatableRequest | undefined {
  const key = call.request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key))
    refuse('request.invalid', 'Idempotency-Key: must be 1 to 200 visible characters');
  const what = JSON.stringify([definition.name, call.params, call.query, call.body]);
  return { userId: call.who.userId, key, what, mac: secrets.sign(MAC_OF, what) };
}
