import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isLinkEnded, isStillThere } from '#workspace/users/connected-links.store.ts';
import type { MappingKey } from '../mappings.store.ts';

/**
 * Linked users whose access to the team ended, who are active at the server and may be deactivated there: every team of theirs is
 * governed, their access ended in each, and they own no bot. The list of users must be fresh. Asked once for each end, so that an
 * admin of the server can decide otherwise.
 */
const mayBeDeactivated = sql`connected_links l
  join connected_teams t on t.server_id = l.server_id and t.team_id = l.team_id and t.accepted_at is not null
  join connected_servers s on s.id = l.server_id and s.users_listed_at > now() - interval '2 days'
  join connected_users u on u.server_id = l.server_id and u.id = l.user_id
  left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
  where ${isLinkEnded} and ${isStillThere} and l.removal_asked_at is null
    and not u.is_protected and not u.owns_bots
    and not exists (select from unnest(u.team_ids) as other (id) where other.id <> t.remote_id and not exists (
      select from connected_teams t join connected_links l on l.server_id = t.server_id and l.team_id = t.team_id
      left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
      where t.server_id = u.server_id and t.remote_id = other.id and t.accepted_at is not null
        and l.user_id = u.id and ${isLinkEnded}))`;

export async function listMappingsWithEndedUsers(db: Database): Promise<MappingKey[]> {
  const { rows } = await sql<MappingKey>`select distinct l.server_id as "serverId", l.team_id as "teamId"
    from ${mayBeDeactivated} order by 1, 2`.execute(db);
  return rows;
}

/** Locked, so that their links can't change. */
export async function listEndedUsers(trx: Trx, { serverId, teamId }: MappingKey, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select l.user_id as id from ${mayBeDeactivated}
    and l.server_id = ${serverId} and l.team_id = ${teamId} order by 1 limit ${limit} for update of l`.execute(trx);
  return rows.map(({ id }) => id);
}
