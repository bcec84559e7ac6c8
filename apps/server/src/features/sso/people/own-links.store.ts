import type { OwnLink } from '@steward/contract/sso/identities';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Teams of a person whose single sign-on is on, and its connections. */
export async function listLinks(db: Database, personId: string): Promise<(OwnLink & { connection_id: string })[]> {
  const { rows } = await sql<OwnLink & { connection_id: string }>`
    select m.team_id, t.display_name as team_name, c.name as provider, c.id as connection_id, i.person_id is not null as is_linked
    from memberships m
    join teams t on t.id = m.team_id
    join sso_connections c on c.team_id = m.team_id and c.enabled
    left join sso_identities i on i.team_id = m.team_id and i.person_id = m.person_id and i.connection_id = c.id
    where m.person_id = ${personId} and m.email is null and not m.deactivated
    order by t.display_name, m.team_id`.execute(db);
  return rows;
}
