import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Takes up what waits in the lists of GIN indexes: new rows lie there unsorted, up to 4 MB of them, and every search reads all of
 * them until a vacuum comes by, which on a large table is days. Answers how many pages it took up. Indexes that belong to
 * another role than ours are left to the vacuum. Without a limit on the lists themselves: adding rows became twice as slow.
 */
export async function indexPendingKeys(db: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select coalesce(sum(gin_clean_pending_list(i.oid)), 0)::int as pages
    from pg_class i join pg_am a on a.oid = i.relam join pg_index x on x.indexrelid = i.oid
    where a.amname = 'gin' and i.relnamespace = current_schema()::regnamespace and x.indisvalid
      and pg_has_role(i.relowner, 'USAGE')`.execute(db);
  return rows[0]?.pages ?? 0;
}
