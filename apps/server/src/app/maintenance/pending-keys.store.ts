import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/**
 * Moves the pending lists of GIN indexes into the indexes and returns the number of pages moved. New rows are in the lists
 * unsorted, up to 4 MB, and every search reads them all until the next vacuum, which takes days on a large table. The database
 * function runs as the owner of the indexes. Smaller lists are no option: they made inserts twice as slow.
 */
export async function indexPendingKeys(db: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`select index_pending_keys() as pages`.execute(db);
  return rows[0]?.pages ?? 0;
}
