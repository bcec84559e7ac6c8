import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { TestApp } from '#testing/app/start-app.ts';

/** Runs the queue's maintenance now, which otherwise runs about every minute: it retries abandoned jobs and deletes old ones. */
export async function maintainQueue(node: TestApp): Promise<void> {
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null`.execute(node.db);
  const keeper = new PgBoss({ connectionString: node.database.url, supervise: false, schedule: false });
  await keeper.start();
  await keeper.supervise();
  await keeper.stop({ graceful: false });
}

/**
 * Expires the jobs and runs of a killed worker immediately instead of within two minutes: their heartbeats, the queue's next check,
 * and the retry delay. Other workers must be idle.
 */
export async function expireDeadWorkers(node: TestApp): Promise<void> {
  await sql`update retention_runs set beat_at = beat_at - interval '61 seconds'
    where state = 'running'`.execute(node.db);
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '31 seconds'
    where state = 'active'`.execute(node.db);
  await maintainQueue(node);
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(node.db);
}
