import { createDatabase, createPool, type Trx } from '#platform/database/database.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** Uses its own connection, without the pooler of TEST_POOLER. */
export async function inDirectTransaction(node: TestApp, work: (trx: Trx) => Promise<void>): Promise<void> {
  const pool = createPool(node.database.connection, { max: 1, name: 'steward test' });
  try {
    await createDatabase(pool).transaction().execute(work);
  } finally {
    await pool.end();
  }
}
