import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Kinds of members by their role, as the database function `member_group` counts them. */
export const GROUP_KINDS = { owner: 1, admin: 2, member: 3, zendesk: 4 } as const;
/** States of memberships, as that function counts them; a group is the sum of a state and a kind. */
export const GROUP_STATES = { active: 0, invited: 10, deactivated: 20 } as const;

/** The group of a membership; the same text as in its indexes. */
export const memberGroup = sql<number>`member_group(roles, email, deactivated)`;

/** The number of members in these groups, as the transaction sees them. */
export function countGroups(teamId: string, groups: readonly number[]) {
  return sql<number>`(select coalesce(sum(count), 0)::int from member_counts
    where team_id = ${teamId} and member_group = any(${groups}::smallint[]))`;
}

/**
 * Adds up the rows of the triggers. Readers see either the old rows or the sum. Rows that another process is adding up,
 * or that a transaction has yet to commit, wait for the next time.
 */
export async function addUpMemberCounts(db: Database): Promise<void> {
  await sql`with gone as (
      delete from member_counts where (team_id, member_group, id) in (
        select team_id, member_group, id from member_counts
        where team_id in (select team_id from member_counts where not is_sum)
        for update skip locked
      ) returning team_id, member_group, count
    )
    insert into member_counts (team_id, member_group, count, is_sum)
    select team_id, member_group, sum(count), true from gone group by 1, 2 having sum(count) <> 0`.execute(db);
}
