import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';

/** Only a failing test waits that long. */
const PATIENCE_MS = 30_000 * TIME_SCALE;

/** Waits until a statement with this text waits for a lock. PostgreSQL has no event for that. */
export async function waitForLockWaiter(node: Pick<TestApp, 'db'>, statement: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like ${`%${statement}%`}`.execute(node.db);
    if (rows.length > 0) return;
    if (performance.now() > end) throw new Error(`no statement waits for a lock: ${statement}`);
    await pause(5);
  }
}
