import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { TestApp } from '#testing/app/start-app.ts';

/** Runs the queue's maintenance now, which otherwise runs about every minute: it retries abandoned jobs and deletes old ones. */
export async function maintainQueue(node: TestApp): Promise<void> {
  await sql`update pgboss.queue set monitor_on = null, maintain_on = null`.execute(node.db);
  const keeper = new PgBoss({ connectionString: node.database.url, supervise: false, schedule: false });
  await keeper.start();
  await keeper.supervise();
  await keeper.stop();
}
