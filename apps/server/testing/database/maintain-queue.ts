import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { TestApp } from '#testing/app/start-app.ts';

/** Has the queue look after itself at once, which it does every minute or so: work that was left, and work that is old. */
export async function maintainQueue(node: TestApp): Promise<void> {
  await sql`update pgboss.queue set monitor_on = null, maintain_on = null`.execute(node.db);
  const keeper = new PgBoss({ connectionString: node.database.url, supervise: false, schedule: false });
  await keeper.start();
  await keeper.supervise();
  await keeper.stop();
}
