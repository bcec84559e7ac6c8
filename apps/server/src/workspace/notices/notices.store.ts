import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';

/** An email to many people of a team. */
export interface NoticeKey {
  teamId: string;
  id: string;
}

/** A stored one: its kind, its text, encrypted, and who gets it. */
export interface StoredNotice {
  kind: string;
  sealed: string;
  recipients: readonly string[];
}

const ofNotice = ({ teamId, id }: NoticeKey) => sql<boolean>`team_id = ${teamId} and id = ${id}`;

/** Stores an email and the ids of the people who get it. */
export async function addNotice(trx: Trx, teamId: string, notice: StoredNotice): Promise<NoticeKey> {
  const id = newId();
  const values = { team_id: teamId, id, kind: notice.kind, sealed: notice.sealed, recipients: [...notice.recipients] };
  await trx.insertInto('notices').values(values).execute();
  return { teamId, id };
}

/**
 * The next recipients, at most so many, with the row locked, so that no other worker queues an email to them; undefined if it is done. Those
 * who were erased since have the id ''.
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

/** Records that so many more recipients have their email in the queue. */
export async function countQueued(trx: Trx, key: NoticeKey, count: number): Promise<void> {
  await trx
    .updateTable('notices')
    .set(({ eb }) => ({ reached: eb('reached', '+', count) }))
    .where(ofNotice(key))
    .execute();
}

/** Removes a notice whose emails are all in the queue. */
export async function endNotice(trx: Trx, key: NoticeKey): Promise<void> {
  await trx.deleteFrom('notices').where(ofNotice(key)).execute();
}

/** Takes a person out of what is still to be sent, of one team or of all. The others keep their places. */
export async function removeRecipient(
  trx: Trx,
  { teamId, personId }: { teamId: string | undefined; personId: string },
): Promise<void> {
  let query = trx
    .updateTable('notices')
    .set({ recipients: sql`array_replace(recipients, ${personId}, '')` })
    .where(sql<boolean>`${personId} = any(recipients)`);
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  await query.execute();
}

/** Removes all: after a restore, nothing that was on its way is sent. */
export async function removeAllNotices(trx: Trx): Promise<void> {
  await trx.deleteFrom('notices').execute();
}

/** Removes those whose job failed permanently, after a month. */
export async function removeOldNotices(db: Database): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<', sql<Date>`now() - interval '30 days'`).execute();
}
