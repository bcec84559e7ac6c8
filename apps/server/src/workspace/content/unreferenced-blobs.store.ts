import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/**
 * A loose blob can be taken by a row for 45 minutes and is removed after 60, so that nobody takes what is being removed;
 * no transaction lasts the time between.
 */
const TAKEN_WITHIN = sql.raw(`interval '45 minutes'`);
const REMOVED_AFTER = sql.raw(`interval '60 minutes'`);

/** These blobs, as the table has them: a key begins with its team. */
const among = (keys: readonly string[]) =>
  sql`(team_id, key) in (select split_part(k.key, '/', 1), k.key from unnest(${keys}::text[]) as k (key))`;

/** Notes blobs that no row holds: before they are written, and when a row has let go of them. */
export async function trackUnreferencedBlobs(trx: Trx, teamId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`insert into loose_blobs (team_id, key) select ${teamId}, key from unnest(${keys}::text[]) as k (key)
    on conflict do nothing`.execute(trx);
}

/** Forgets blobs that rows of this transaction hold now; false when one of them is too old to be relied on. */
export async function claimUnreferencedBlobs(trx: Trx, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const { rows } = await sql`delete from loose_blobs where ${among(keys)} and since > now() - ${TAKEN_WITHIN}
    returning 1`.execute(trx);
  return rows.length === keys.length;
}

/** Blobs that have been loose for an hour, in the order of their keys. */
export async function listUnreferencedBlobs(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from loose_blobs
    where since < now() - ${REMOVED_AFTER} and (team_id, key) > (split_part(${after}, '/', 1), ${after}) order by team_id, key limit ${limit}`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

/** Forgets blobs that are gone. */
export async function untrackBlobs(db: Database, keys: readonly string[]): Promise<void> {
  await sql`delete from loose_blobs where ${among(keys)}`.execute(db);
}
