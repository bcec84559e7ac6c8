import { listDirectory } from '@steward/server/src/features/directory/directory.store.ts';
import type { Bench } from './bench.ts';
import type { Row } from './report.ts';
import { searched, type Text } from './search-rows.ts';

/** Names of several lengths, numbers as digits and as people write them, and what a plan can be wrong about. */
const TEXTS: Text[] = [
  ['anna mueller', '12 letters'],
  ['martin', '6 letters'],
  ['smit', '4 letters'],
  ['anna', '4 frequent letters'],
  ['zoe', '3 letters, late'],
  ['an', '2 frequent letters'],
  ['qu', '2 rarer letters'],
  ['qx', '2 letters, no hit'],
  ['4155550142', '10 digits'],
  ['(415) 555-0142', '10 digits, spelled'],
  ['5550142', '7 digits'],
  ['0142', '4 digits'],
  ['42', '2 digits'],
  ['9999999', '7 digits, no hit'],
  ['example', 'in most addresses', true],
  ['qqxxqq', 'no hit'],
];

/** One page of a search for directory entries. */
export async function directorySearch(bench: Bench): Promise<Row[]> {
  const { team, place } = bench;
  return searched(bench, {
    name: 'directory search',
    path: `/api/v4/teams/${team.id}/compdir`,
    texts: TEXTS,
    typical: ['anna mueller', 'martin', '4155550142'],
    find: (search) => listDirectory(place.db, { teamId: team.id, search, after: undefined, limit: 101 }),
    table: 'directory_entries',
  });
}
