import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';

/** Whether a team has content from before sources. Once it hasn't, it never has again. */
export async function hasContentWithoutSource(db: Database, teamId: string): Promise<boolean> {
  const statement = sql<{ found: boolean }>`
    select exists (select 1 from messages where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from files where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from records where team_id = ${teamId} and external_id is not null and source_id is null)
      as found`;
  const [answer] = await runPrepared(db, statement);
  return answer?.found ?? false;
}
