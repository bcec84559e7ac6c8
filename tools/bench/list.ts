import { listPeople } from '@steward/server/src/features/users/users.store.ts';
import type { Bench } from './bench.ts';
import { compareWithBare } from './paged-list.ts';
import type { Row } from './report.ts';

const NO_FILTERS = { search: '', owners: false, admins: false, members: false, deactivated: false };

/** A page of 100 people. */
export async function list(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithBare(bench, {
    name: 'list',
    scope: 'users',
    path: `/api/v4/admin/teams/${team.id}/users`,
    rows: team.people,
    keyAt: `select name_key, person_id as id from memberships where team_id = $1 and not deactivated
      order by name_key, person_id offset $2 limit 1`,
    ask: (db, after) => listPeople(db, { teamId: team.id, ...NO_FILTERS, after, limit: 101 }),
  });
}
