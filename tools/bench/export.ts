import type { Bench } from './bench.ts';
import { compareWithCopy } from './export-rows.ts';
import type { Row } from './report.ts';

/** Everybody of the team. */
export async function exported(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithCopy(bench, {
    name: 'export',
    of: 'people',
    path: `/api/v4/admin/teams/${team.id}/users?deactivated_accounts=1&`,
    rows: team.people,
    mark: '"account_type"',
    query: `select p.id, p.first_name, p.last_name, p.email, pr.status, p.type, m.roles, p.last_picture_update,
        p.create_at, p.update_at, p.delete_at, p.apps
      from memberships m join people p on p.id = m.person_id left join presence pr on pr.person_id = m.person_id
      where m.team_id = '${team.id}' order by m.name_key, m.person_id`,
  });
}
