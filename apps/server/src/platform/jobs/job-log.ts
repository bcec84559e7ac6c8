import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { DEAD_LETTERS } from './jobs.ts';

/** Waiting jobs, by the queue's own count (up to a minute old), and permanent failures within 24 hours. */
export async function countJobs(pool: pg.Pool): Promise<{ state: 'waiting' | 'failed'; count: number }[]> {
  const { rows } = await pool.query<{ state: 'waiting' | 'failed'; count: number }>(
    `select 'waiting' as state, coalesce(sum(queued_count), 0)::int as count from pgboss.queue
      where name <> $1 and name not like '\\_\\_pgboss%'
    union all select 'failed', count(*)::int from pgboss.job where name = $1 and created_on > now() - interval '1 day'`,
    [DEAD_LETTERS],
  );
  return rows;
}

/** The payload is left out. The time is in milliseconds since 1970. */
export interface FailedJob {
  name: string;
  failed_at: number;
  attempts: number;
  error: string;
}

/** The latest permanently failed jobs; the queue keeps them for a week. */
export async function listFailedJobs(db: Database, limit: number): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`select name, ${toMilliseconds(sql`completed_on`)} as failed_at,
      retry_count + 1 as attempts, coalesce(output->>'message', '') as error
    from pgboss.job where state = 'failed' and name not like '\\_\\_pgboss%'
    order by completed_on desc limit ${limit}`.execute(db);
  return rows;
}
