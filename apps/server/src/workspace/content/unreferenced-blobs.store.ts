import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/**
 * A row can claim an unreferenced blob for 45 minutes, and the blob is deleted after 60: no transaction lasts as long as the
 * time between, so no row claims a blob that is being deleted.
 */
const CLAIMED_WITHIN = sql.raw(`interval '45 minutes'`);
const DELETED_AFTER = sql.raw(`interval '60 minutes'`);

/** Matches the rows of these keys; a key starts with its team id. */
const among = (keys: readonly string[]) =>
  sql`(team_id, key) in (select split_part(k.key, '/', 1), k.key from unnest(${keys}::text[]) as k (key))`;

/** Records blobs that no row references: before they are written, and after a row has dropped them. */
export async function trackUnreferencedBlobs(trx: Trx, teamId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`insert into loose_blobs (team_id, key) select ${teamId}, key from unnest(${keys}::text[]) as k (key)
    on conflict do nothing`.execute(trx);
}

/** Stops tracking blobs that rows of this transaction now reference; false when one is too old to be claimed. */
export async function claimUnreferencedBlobs(trx: Trx, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const { rows } = await sql`delete from loose_blobs where ${among(keys)} and since > now() - ${CLAIMED_WITHIN}
    returning 1`.execute(trx);
  return rows.length === keys.length;
}

/** Blobs that have been unreferenced for an hour, in the order of their keys. */
export async function listUnreferencedBlobs(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from loose_blobs
    where since < now() - ${DELETED_AFTER} and (team_id, key) > (split_part(${after}, '/', 1), ${after}) order by team_id, key limit ${limit}`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

export async function untrackBlobs(db: Database, keys: readonly string[]): Promise<void> {
  await sql`delete from loose_blobs where ${among(keys)}`.execute(db);
}

/** For a restore, which fills tables before the schema has its last version. */
export function untrackReferencedBlobs(table: string): string {
  return `delete from loose_blobs l using ${table} t where l.key = t.blob`;
}
