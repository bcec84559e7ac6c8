import type { Status } from '@steward/contract/session';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { presenceStatus } from '#workspace/users/users.store.ts';

/** Presence of the given users who share one of these teams with the caller; others are left out. */
export async function listVisibleStatuses(
  db: Database,
  { callerId, teamIds }: { callerId: string; teamIds: readonly string[] },
  ids: readonly string[],
): Promise<Status[]> {
  const { rows } = await sql<Status>`
    select p.id as user_id, coalesce(${presenceStatus}, 'offline') as status, coalesce(pr.manual, false) as manual,
      coalesce(pr.last_activity_at, 0) as last_activity_at
    from people p left join presence pr on pr.person_id = p.id
    where p.id = any(${[...new Set(ids)]}) and (p.id = ${callerId} or exists (
      select 1 from memberships b where b.team_id = any(${teamIds}) and b.person_id = p.id and ${isActive('b')}))
    order by p.id`.execute(db);
  return rows;
}
