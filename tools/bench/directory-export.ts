import type { Bench } from './bench.ts';
import { compareWithCopy } from './export-rows.ts';
import type { Row } from './report.ts';

/** The whole directory of the team. */
export async function directoryExport(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithCopy(bench, {
    name: 'directory export',
    of: 'entries',
    path: `/api/v4/teams/${team.id}/compdir?`,
    rows: team.entries,
    mark: '"user_id"',
    query: `select id, name, phone_number, sms, email, user_id, last_picture_update from directory_entries
      where team_id = '${team.id}' order by name_key, id`,
  });
}
