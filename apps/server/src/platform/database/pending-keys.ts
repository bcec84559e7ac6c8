import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Moves the pending lists of GIN indexes into the indexes and returns the number of pages moved. New rows are in the lists
 * unsorted, up to 4 MB, and every search reads them all until the next vacuum, which takes days on a large table. Indexes owned
 * by another role are left to the vacuum. Smaller lists are no option: they made inserts twice as slow.
 */
export async function indexPendingKeys(db: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select coalesce(sum(gin_clean_pending_list(i.oid)), 0)::int as pages
    from pg_class i join pg_am a on a.oid = i.relam join pg_index x on x.indexrelid = i.oid
    where a.amname = 'gin' and i.relnamespace = current_schema()::regnamespace and x.indisvalid
      and pg_has_role(i.relowner, 'USAGE')`.execute(db);
  return rows[0]?.pages ?? 0;
}
