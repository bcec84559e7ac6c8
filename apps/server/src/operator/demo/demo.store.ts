import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Whether nobody has made a team yet. */
export async function isEmpty(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from teams limit 1`.execute(db);
  return rows.length === 0;
}
