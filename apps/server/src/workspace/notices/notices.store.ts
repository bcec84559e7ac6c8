import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';

export interface NoticeKey {
  teamId: string;
  id: string;
}

/** The text is encrypted. */
export interface StoredNotice {
  kind: string;
  sealed: string;
  recipients: readonly string[];
}

const ofNotice = ({ teamId, id }: NoticeKey) => sql<boolean>`team_id = ${teamId} and id = ${id}`;

export async function addNotice(trx: Trx, teamId: string, notice: StoredNotice): Promise<NoticeKey> {
  const id = newId();
  const values = { team_id: teamId, id, kind: notice.kind, sealed: notice.sealed, recipients: [...notice.recipients] };
  await trx.insertInto('notices').values(values).execute();
  return { teamId, id };
}

/**
 * The next recipients, at most `limit`. The row is locked, so that no other worker queues emails to them; undefined if
 * the notice is done. The id of a user who was erased since is ''.
 */
export async function lockNextRecipients(
  trx: Trx,
  key: NoticeKey,
  limit: number,
): Promise<(StoredNotice & { isLast: boolean }) | undefined> {
  const row = await trx
    .selectFrom('notices')
    .select([
      'kind',
      'sealed',
      sql<string[]>`recipients[reached + 1 : reached + ${limit}::int]`.as('recipients'),
      sql<boolean>`cardinality(recipients) <= reached + ${limit}::int`.as('isLast'),
    ])
    .where(ofNotice(key))
    .forUpdate()
    .executeTakeFirst();
  return row;
}

/** Records that the next `count` recipients have their email in the queue. */
export async function countQueued(trx: Trx, key: NoticeKey, count: number): Promise<void> {
  await trx
    .updateTable('notices')
    .set(({ eb }) => ({ reached: eb('reached', '+', count) }))
    .where(ofNotice(key))
    .execute();
}

export async function endNotice(trx: Trx, key: NoticeKey): Promise<void> {
  await trx.deleteFrom('notices').where(ofNotice(key)).execute();
}

/** Removes a user from the recipients that are left, of one team or of all. The others keep their places. */
export async function removeRecipient(
  trx: Trx,
  { teamId, userId }: { teamId: string | undefined; userId: string },
): Promise<void> {
  let query = trx
    .updateTable('notices')
    .set({ recipients: sql`array_replace(recipients, ${userId}, '')` })
    .where(sql<boolean>`${userId} = any(recipients)`);
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  await query.execute();
}

/** After a restore, no email that was waiting is sent. */
export async function removeAllNotices(trx: Trx): Promise<void> {
  await trx.deleteFrom('notices').execute();
}

/** A notice that is a month old belongs to a job that failed permanently. */
export async function removeOldNotices(db: Database): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<', sql<Date>`now() - interval '30 days'`).execute();
}
