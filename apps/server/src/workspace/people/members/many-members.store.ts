import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { type MemberRow, memberState } from '../memberships.store.ts';

// People are locked before memberships, and both in the order of their ids, so that two such changes never deadlock.

/** Locks these people and their memberships of a team until the transaction ends. */
export async function lockMembers(trx: Trx, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`select 1 from people where id = any(${ids}) order by id for no key update`.execute(trx);
  await sql`select 1 from memberships where team_id = ${teamId} and person_id = any(${ids})
    order by person_id for update`.execute(trx);
}

/** Ids of the members and invitations with these email addresses. */
export async function findIdsByEmail(trx: Trx, teamId: string, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select person_id as id from memberships where team_id = ${teamId} and email = any(${emails})
    union
    select m.person_id from people p join memberships m on m.person_id = p.id and m.team_id = ${teamId}
    where p.email = any(${emails})`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Members and invitations with these ids, by email. An invitation comes before a member with the same address. */
export async function findMembers(
  trx: Trx,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemberRow>> {
  const { rows } = await sql<MemberRow>`
    select m.person_id as id, m.roles, ${memberState} as state, coalesce(m.email, p.email, '') as email,
      coalesce(m.first_name, p.first_name, '') as first_name, coalesce(m.last_name, p.last_name, '') as last_name,
      (select count(*)::int from memberships o
        where o.person_id = p.id and o.team_id <> m.team_id and not o.deactivated) as other_teams
    from memberships m left join people p on p.id = m.person_id and m.email is null
    where m.team_id = ${teamId} and m.person_id = any(${ids}) order by m.email is not null`.execute(trx);
  return new Map(rows.map((row) => [row.email, row]));
}
