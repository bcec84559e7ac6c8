import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

export interface RepeatableRequest {
  userId: string;
  key: string;
  /** Endpoint, parameters and body: the same key with something else is refused. */
  what: string;
  /** Keyed, because a plain hash of a short body could be guessed from a copy of the table. */
  mac: string;
}

/**
 * Claims the key for this transaction. A second request with the key waits here until the first has ended and then gets
 * its response; `undefined` means that this request is the first.
 */
export async function claimIdempotencyKey(
  trx: Trx,
  request: RepeatableRequest,
): Promise<{ mac: string; answer: string } | undefined> {
  const { userId, key, mac } = request;
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({ person_id: userId, key, request_hash: mac })
    .onConflict((conflict) => conflict.columns(['person_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return undefined;
  const stored = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('person_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return stored && { mac: stored.request_hash, answer: stored.answer ?? 'null' };
}

export async function saveResponse(
  trx: Trx,
  request: Pick<RepeatableRequest, 'userId' | 'key'>,
  answer: string,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('person_id', '=', request.userId)
    .where('key', '=', request.key)
    .execute();
}

export interface StoredResponse {
  person_id: string;
  key: string;
  answer: string;
}

/**
 * Responses that may be about a team are those to its admins and owners, and to everyone who changed something in it.
 */
export async function listResponsesAbout(
  db: Database | Trx,
  teamId: string,
  { after, limit }: { after: Pick<StoredResponse, 'person_id' | 'key'>; limit: number },
): Promise<StoredResponse[]> {
  const { rows } = await sql<StoredResponse>`select person_id, key, answer from idempotency_keys
    where answer is not null and (person_id, key) > (${after.person_id}, ${after.key}) and person_id in (
      select person_id from memberships where team_id = ${teamId} and roles && array['team_admin', 'team_owner']
      union select actor_id from audit_events where team_id = ${teamId} and at > now() - interval '25 hours')
    order by person_id, key limit ${limit}`.execute(db);
  return rows;
}

export async function removeOldKeys(db: Database): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - interval '24 hours'`).execute();
}
