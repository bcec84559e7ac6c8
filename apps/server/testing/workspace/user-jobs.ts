import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** A completed bulk change. Returns its id. */
export async function endedJob(node: TestApp, teamId: string): Promise<string> {
  const id = newId();
  await sql`insert into user_jobs (team_id, id, action, started_by, user_ids, joined_until, state, total, ended_at)
    values (${teamId}, ${id}, 'revoke', ${newId()}, '{}', 0, 'done', 0, now())`.execute(node.db);
  return id;
}

export async function endJobs(node: TestApp, teamId: string): Promise<void> {
  await sql`update user_jobs set state = 'done', ended_at = now() where team_id = ${teamId} and ended_at is null`.execute(
    node.db,
  );
}
