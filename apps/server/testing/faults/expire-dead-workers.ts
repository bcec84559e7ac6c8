import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { TestApp } from '#testing/app/start-app.ts';

/**
 * Expires the jobs and runs of a killed worker immediately instead of within two minutes: their heartbeats, the queue's next check,
 * and the retry delay. Other workers must be idle.
 */
export async function expireDeadWorkers({ db, database }: TestApp): Promise<void> {
  await sql`update retention_runs set beat_at = beat_at - interval '61 seconds' where state = 'running'`.execute(db);
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '31 seconds' where state = 'active'`.execute(
    db,
  );
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(db);
  const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false, migrate: false });
  await boss.start();
  await boss.supervise();
  await boss.stop({ graceful: false });
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(db);
}
