import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Somebody of the team. */
export interface NamedPerson {
  id: string;
  name: string;
  email: string;
}

/** Those of these ids that are people of the team: whoever left it is somebody else's business. */
export async function findPeople(db: Database, teamId: string, ids: readonly string[]): Promise<NamedPerson[]> {
  const { rows } = await sql<NamedPerson>`
    select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name, p.email
    from memberships m join people p on p.id = m.person_id
    where m.team_id = ${teamId} and m.person_id = any(${ids})`.execute(db);
  return rows;
}

/**
 * Names of things of the team by their ids, of whatever kind they are. A channel that was not made for everybody is named to
 * those who have joined it, or where it stands on a screen of every admin.
 */
export async function findNames(
  db: Database,
  { teamId, personId }: { teamId: string; personId: string },
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from directory_entries where team_id = ${teamId} and id = any(${ids})
    union all select id, name from service_tokens where team_id = ${teamId} and id = any(${ids})
    union all select id, file_name from directory_imports where team_id = ${teamId} and id = any(${ids})
    union all select id, initcap(code) from integrations where team_id = ${teamId} and id = any(${ids})
    union all select id, display_name from teams where id = ${teamId} and id = any(${ids})
    union all select id, display_name from channels c where team_id = ${teamId} and id = any(${ids}) and (
      type = 'O'
      or exists (select 1 from default_channels d where d.team_id = c.team_id and d.channel_id = c.id)
      or exists (select 1 from integration_channels i where i.team_id = c.team_id and i.channel_id = c.id)
      or exists (select 1 from channel_members j
        where j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${personId})
    )`.execute(db);
  return rows;
}
