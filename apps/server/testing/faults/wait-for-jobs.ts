import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';

/** Waits for all jobs, including those that they queue. Fails with a list of the remaining ones after `seconds`. */
export async function settled(node: TestApp, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1_000 * TIME_SCALE;
  for (;;) {
    const { rows } = await sql<{ name: string; state: string }>`select name, state from pgboss.job
      where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%'
        and name <> 'dead_letters' and start_after <= now()`.execute(node.db);
    if (rows.length === 0) return;
    if (performance.now() > end) throw new Error(`jobs are still waiting: ${JSON.stringify(rows)}`);
    // The queue has no event for being empty.
    await setTimeout(15);
  }
}
