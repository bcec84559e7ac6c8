import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { until } from '#testing/system/until.ts';

/** Runs the jobs that wait for a retry now, not after their delay and the next poll. Returns whether there was one. */
export async function wakeRetries(node: TestApp): Promise<boolean> {
  const { rows } =
    await sql`with due as (update pgboss.job set start_after = now() where state = 'retry' returning name)
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), name) from due`.execute(node.db);
  return rows.length > 0;
}

/** The same once there is one: the queue stores the failure of an attempt after its handler has ended. */
export async function retryNow(node: TestApp): Promise<void> {
  await until(async () => ((await wakeRetries(node)) ? undefined : 'a job to retry'));
}

/** Waits for all jobs, including those that they queue. Fails with a list of the remaining ones after `seconds`. */
export async function settled(node: TestApp, seconds?: number): Promise<void> {
  await until(async () => {
    const { rows: jobs } = await sql`select name, state from pgboss.job
      where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%'
        and name <> 'dead_letters' and start_after <= now()`.execute(node.db);
    return jobs.length === 0 ? undefined : { jobs };
  }, seconds);
}
