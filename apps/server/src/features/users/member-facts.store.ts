import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { matchesSearch } from '#platform/database/search.ts';
import { isActive } from '#workspace/users/active-members.store.ts';

export interface MemberFacts {
  invited_by: string | null;
  inviter_name: string;
  invitation_link: { id: string; name: string } | null;
  directory_entry_id: string;
  tokens: number;
  links: number;
  lives_on: { connection_id: string; server: string; username: string }[];
}

/**
 * The caller knows the address of the member or invitation; undefined for anyone else. Facts about
 * an account are read for active members only.
 */
export async function findMemberFacts(
  db: Database,
  { teamId, userId, email }: { teamId: string; userId: string; email: string },
): Promise<MemberFacts | undefined> {
  const { rows } = await sql<MemberFacts>`
    select m.invited_by,
      coalesce((select coalesce(nullif(trim(i.first_name || ' ' || i.last_name), ''), i.email) from people i
        join memberships own on own.team_id = m.team_id and own.person_id = i.id
        where i.id = m.invited_by), '') as inviter_name,
      (select json_build_object('id', l.id, 'name', l.name) from invitation_links l
        where l.team_id = m.team_id and l.id = m.invitation_link_id) as invitation_link,
      case when m.email is null and ${isActive()} then coalesce((select min(id) from directory_entries
        where team_id = ${teamId} and lower(email) = ${email} and ${matchesSearch(sql`search`, email)}), '')
      else '' end as directory_entry_id,
      (select count(*)::int from service_tokens t where t.team_id = m.team_id and t.created_by = p.id
        and t.stopped_at is null and t.expires_at > now()) as tokens,
      (select count(*)::int from links l where l.person_id = m.person_id and l.expires_at > now() and l.ended is null
        and case when m.email is null then l.kind = 'reset' and ${isActive()}
          else l.kind = 'invite' and l.team_id = m.team_id end) as links,
      (select coalesce(jsonb_agg(jsonb_build_object('connection_id', s.id, 'server', s.name, 'username', u.username)
          order by s.name, s.id), '[]')
        from connected_links c join connected_servers s on s.id = c.server_id
        join connected_users u on u.server_id = c.server_id and u.id = c.user_id
        where c.team_id = m.team_id and c.person_id = m.person_id and c.linked_at is not null) as lives_on
    from memberships m left join people p on p.id = m.person_id and m.email is null
    where m.team_id = ${teamId} and m.person_id = ${userId}`.execute(db);
  return rows[0];
}
