import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { until } from '#testing/system/until.ts';

export async function waitForLockWaiter(node: Pick<TestApp, 'db'>, statement: string): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like ${`%${statement}%`}`.execute(node.db);
    return rows.length > 0 ? undefined : { statement };
  });
}
