import { listPeople } from '@steward/server/src/features/users/users.store.ts';
import type { Bench } from './bench.ts';
import type { Row } from './report.ts';
import { searched, type Text } from './search-rows.ts';

/** Typical texts, and those that a plan can be wrong about: everywhere, late in the alphabet, too short for trigrams. */
const TEXTS: Text[] = [
  ['anna mueller', '12 letters'],
  ['martin', '6 letters'],
  ['smit', '4 letters'],
  ['anna', '4 frequent letters'],
  ['zoe', '3 letters, late'],
  ['an', '2 frequent letters'],
  ['qu', '2 rarer letters'],
  ['qx', '2 letters, no hit'],
  ['example', 'in every address', true],
  ['qqxxqq', 'no hit'],
];
const NO_FILTERS = { owners: false, admins: false, members: false, deactivated: false };

/** One page of a search for people. */
export async function search(bench: Bench): Promise<Row[]> {
  const { team, place } = bench;
  const scope = { teamId: team.id, ...NO_FILTERS, after: undefined, limit: 101 };
  return searched(bench, {
    name: 'search',
    path: `/api/v4/admin/teams/${team.id}/users`,
    texts: TEXTS,
    typical: ['anna mueller', 'martin', 'smit'],
    find: (text) => listPeople(place.db, { ...scope, search: text }),
    table: 'memberships',
  });
}
