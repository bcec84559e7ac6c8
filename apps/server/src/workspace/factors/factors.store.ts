import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** Whether a person has a second factor. */
export async function hasFactor(db: Database | Trx, personId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from sessions where person_id = ${personId} and mfa_at is not null limit 1`.execute(db);
  return rows.length > 0;
}
