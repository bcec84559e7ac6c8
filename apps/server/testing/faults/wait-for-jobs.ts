import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';

/** Runs the jobs that wait for a retry now, not after their delay and the next poll. Returns whether there was one. */
export async function wakeRetries(node: TestApp): Promise<boolean> {
  const { rows } =
    await sql`with due as (update pgboss.job set start_after = now() where state = 'retry' returning name)
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), name) from due`.execute(node.db);
  return rows.length > 0;
}

/** The same once there is one: the queue stores the failure of an attempt after its handler has ended. */
export async function retryNow(node: TestApp): Promise<void> {
  while (!(await wakeRetries(node))) await setTimeout(15);
}

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
