import { listDirectory } from '@steward/server/src/features/directory/directory.store.ts';
import type { Bench } from './bench.ts';
import { compareWithBare } from './paged-list.ts';
import type { Row } from './report.ts';

/** A page of 100 directory entries. */
export async function directoryList(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithBare(bench, {
    name: 'directory list',
    scope: 'directory',
    path: `/api/v4/teams/${team.id}/compdir`,
    rows: team.entries,
    keyAt: `select name_key, id from directory_entries where team_id = $1
      order by name_key, id offset $2 limit 1`,
    ask: (db, after) => listDirectory(db, { teamId: team.id, search: '', after, limit: 101 }),
  });
}
