import { sql } from 'kysely';
import { type Database, prepared } from '#platform/database/database.ts';

/** Whether a team has content from before sources. Once it hasn't, it never has again. */
export async function hasContentWithoutSource(db: Database, teamId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${prepared}
    select exists (select 1 from messages where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from files where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from records where team_id = ${teamId} and external_id is not null and source_id is null)
      as found`.execute(db);
  return rows[0]?.found ?? false;
}
