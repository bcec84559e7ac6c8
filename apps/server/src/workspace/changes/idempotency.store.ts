import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

export interface RepeatableRequest {
  personId: string;
  key: string;
  /** Hash of endpoint, parameters and body: the same key with another hash is refused. */
  hash: string;
}

/**
 * Claims the key for this transaction. A second request with the key waits here until the first has ended and then gets
 * its response; `undefined` means that this request is the first.
 */
export async function claimIdempotencyKey(
  trx: Trx,
  request: RepeatableRequest,
): Promise<{ hash: string; answer: string } | undefined> {
  const claimed = await sql`insert into idempotency_keys (person_id, key, request_hash)
    values (${request.personId}, ${request.key}, ${request.hash})
    on conflict (person_id, key) do nothing returning 1`.execute(trx);
  if (claimed.rows.length > 0) return undefined;
  const { rows } = await sql<{ request_hash: string; answer: string | null }>`
    select request_hash, answer from idempotency_keys
    where person_id = ${request.personId} and key = ${request.key}`.execute(trx);
  const stored = rows[0];
  return stored && { hash: stored.request_hash, answer: stored.answer ?? 'null' };
}

/** Stores the response with the key, in the transaction of the change. */
export async function saveResponse(trx: Trx, request: RepeatableRequest, answer: string): Promise<void> {
  await sql`update idempotency_keys set answer = ${answer}
    where person_id = ${request.personId} and key = ${request.key}`.execute(trx);
}

/** Keys are kept for 24 hours. */
export async function removeOldKeys(db: Database): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`.execute(db);
}
