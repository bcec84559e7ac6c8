import type { ErrorId } from '@steward/contract/api/errors';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Origin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Connection, findConnectionById } from '#workspace/people/identity-providers/connections.store.ts';
import { toClient } from '../connection/client-secret.ts';
import { holdConnection, saveTested } from '../connection/saved-connections.store.ts';
import type { Arrival } from '../people/arrival.ts';
import type { Claims } from '../people/claims.rules.ts';
import { resolvePerson } from '../people/resolve-person.actions.ts';
import { formatCauses, isUnknownKey, toErrorId } from '../provider/failure.ts';
import { type Begun, beginAgain, type SignInFeature } from './begin.actions.ts';
import { type Entered, enter, recordRefusal, renewSession } from './enter.actions.ts';
import { exchange } from './exchange.actions.ts';
import { consumeTransaction, type Pending } from './transactions.store.ts';

export interface Response {
  connectionId: string;
  /** The complete requested URL as the browser sees it. */
  url: URL;
  /** From the sign-in cookie. */
  token: string | undefined;
  /** From the device cookie. */
  device: string | undefined;
  origin: Origin;
}

/** A response signs in, confirms a session, is sent to the provider again, or fails. */
export type Completed =
  | { kind: 'entered'; returnPath: string; session: Entered | null }
  | ({ kind: 'again' } & Begun)
  | { kind: 'failed'; id: ErrorId; isReauth: boolean };

/** Consumes the transaction first, so that no response works twice. */
export async function complete(feature: SignInFeature, response: Response): Promise<Completed> {
  const { deps } = feature;
  const { token, connectionId } = response;
  const pending = token === undefined ? undefined : await consumeTransaction(deps.db, deps.secrets, token);
  // A response for another connection could come from a different provider (a mix-up attack).
  if (pending === undefined || pending.connectionId !== connectionId)
    return fail(feature, response, { id: 'sso.expired' });
  const connection = await findConnectionById(deps.db, connectionId);
  const { isReauth } = pending;
  if (connection === undefined) return fail(feature, response, { id: 'sso.off', isReauth });
  try {
    const claims = await exchange(feature, connection, { url: response.url, pending });
    return await arrive(feature, { response, pending, claims, connection });
  } catch (error) {
    if (isUnknownKey(error) && pending.restarts === 0)
      return { kind: 'again', ...(await beginAgain(feature, connection, pending)) };
    const why = formatCauses(error, listSecrets(feature, connection, { response, pending }));
    return fail(feature, response, { id: toErrorId(error), why, isReauth });
  }
}

/** Secrets that the exchange sends or compares. */
function listSecrets(
  { deps }: SignInFeature,
  connection: Connection,
  { response: { url }, pending }: { response: Response; pending: Pending },
): string[] {
  const { secret } = toClient(deps.secrets, connection);
  return [secret, url.searchParams.get('code') ?? '', ...Object.values(pending.proof)];
}

async function arrive(
  feature: SignInFeature,
  {
    response,
    pending,
    claims,
    connection,
  }: { response: Response; pending: Pending; claims: Claims; connection: Connection },
): Promise<Completed> {
  const { deps } = feature;
  const { session } = pending;
  const arrival: Arrival = { connection, claims, session, origin: response.origin };
  const result = await inTransaction(deps.db, async (trx) => {
    // An owner may have switched the connection off since the first read.
    await holdConnection(trx, connection.id);
    const current = await findConnectionById(trx, connection.id);
    if (current === undefined || current.enabled !== connection.enabled) return { refusal: 'sso.off' } as const;
    if (pending.isReauth) return { session: await renewSession(trx, deps, { arrival, pending }) };
    const resolved = await resolvePerson(trx, deps, arrival);
    if ('refusal' in resolved) return resolved;
    if (!connection.enabled) return { session: await recordTest(trx, arrival, resolved.personId) };
    const started = { personId: resolved.personId, sessionId: session?.id, device: response.device };
    return { session: await enter(trx, deps, { ...arrival, ...started }) };
  });
  if (!('refusal' in result)) return { kind: 'entered', returnPath: pending.returnPath, session: result.session };
  if ('personId' in result) await recordRefusal(deps, { ...arrival, personId: result.personId });
  return fail(feature, response, { id: result.refusal, isReauth: pending.isReauth });
}

/** An owner has tested the connection while it is off: the owner is now linked, and their session is unchanged. */
async function recordTest(trx: Trx, { connection, origin }: Arrival, personId: string): Promise<null> {
  await saveTested(trx, connection.id);
  const event = { teamId: connection.team_id, actorId: personId, target: connection.team_id };
  await addAuditEvent(trx, { action: 'sso.tested', ...event }, origin);
  return null;
}

function fail(
  { deps }: SignInFeature,
  { origin, connectionId }: Response,
  { id, why, isReauth = false }: { id: ErrorId; why?: string; isReauth?: boolean },
): Completed {
  const line = { request_id: origin.requestId, address: origin.address, connection: connectionId, reason: id, why };
  deps.log.warn(line, 'single sign-on failed');
  return { kind: 'failed', id, isReauth };
}
