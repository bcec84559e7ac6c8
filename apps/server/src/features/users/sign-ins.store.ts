import type { SignIn, SignInFilters } from '@steward/contract/users/sign-ins';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { firstId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';

/** The previous page ended with the id `before`. */
export interface SignInSearch extends SignInFilters {
  teamId: string;
  before: string | undefined;
  limit: number;
}

/** The newest are first; any page costs as much as the first one. Users who left aren't shown. */
export async function listSignIns(db: Database, search: SignInSearch): Promise<SignIn[]> {
  // Each row looks up its user: a free join would read and sort all rows of a small team.
  const { rows } = await sql<SignIn>`
    select s.id, ${toMilliseconds(sql.ref('s.at'))} as at, s.person_id as user_id, u.email, u.first_name, u.last_name,
      s.outcome, s.method, s.address, s.device, s.request_id
    from sign_ins s cross join lateral (
      select p.email, p.first_name, p.last_name from memberships m join people p on p.id = m.person_id
      where m.team_id = s.team_id and m.person_id = s.person_id offset 0
    ) u
    where ${toCondition(search)} order by s.id desc limit ${search.limit}`.execute(db);
  return rows;
}

function toCondition({ teamId, user_id, outcome, method, from, to, before }: SignInSearch): RawBuilder<unknown> {
  const conditions = [sql`s.team_id = ${teamId}`];
  if (user_id !== undefined) conditions.push(sql`s.person_id = ${user_id}`);
  if (outcome !== undefined) conditions.push(sql`s.outcome = ${outcome}`);
  if (method !== undefined) conditions.push(sql`s.method = ${method}`);
  // An id starts with the time of its row, so a date in the past is found as fast as today.
  if (from !== undefined) conditions.push(sql`s.id >= ${firstId(from)}`);
  if (to !== undefined) conditions.push(sql`s.id < ${firstId(to)}`);
  if (before !== undefined) conditions.push(sql`s.id < ${before}`);
  return sql.join(conditions, sql` and `);
}
