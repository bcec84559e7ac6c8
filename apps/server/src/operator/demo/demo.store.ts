import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';

/** Key of the advisory lock that lets one process make the demo at a time; an arbitrary unused number. */
const LOCK = 7_314_207;

/** Reserves making the demo until the commit; false if another node is making it. Waiting for that could take longer than a lock may. */
export async function lockDemo(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx);
  return rows[0]?.locked ?? false;
}
