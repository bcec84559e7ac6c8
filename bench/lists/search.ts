import { getSpellings, listDirectory } from '@steward/server/src/features/directory/directory.store.ts';
import { listPeople } from '@steward/server/src/features/users/list/users.store.ts';
import { matchesSearchKeys, toLikePattern } from '@steward/server/src/platform/database/search-plan.ts';
import { sql } from 'kysely';
import { load } from '../setup/load.ts';
import { signIn } from '../setup/processes.ts';
import { type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';

/** Typical names, and texts that mislead a query plan: everywhere, late in the alphabet, too short for trigrams. */
const NAMES: Text[] = [
  ['anna mueller', '12 letters'],
  ['martin', '6 letters'],
  ['smit', '4 letters'],
  ['anna', '4 frequent letters'],
  ['zoe', '3 letters, late'],
  ['an', '2 frequent letters'],
  ['qu', '2 rarer letters'],
  ['qx', '2 letters, no hit'],
];
/** Phone numbers as digits and as people write them. */
const NUMBERS: Text[] = [
  ['4155550142', '10 digits'],
  ['(415) 555-0142', '10 digits, spelled'],
  ['5550142', '7 digits'],
  ['0142', '4 digits'],
  ['42', '2 digits'],
  ['9999999', '7 digits, no hit'],
];
const NO_HIT: Text = ['qqxxqq', 'no hit'];
const NO_FILTERS = {
  owners: false,
  admins: false,
  members: false,
  pending: false,
  deactivated: false,
  inactiveSince: undefined,
  sort: 'name',
  descending: false,
} as const;

/** One page of a search for people. */
export async function search(bench: Bench): Promise<Row[]> {
  const { team, database } = bench;
  const scope = { teamId: team.id, ...NO_FILTERS, after: undefined, limit: 101 };
  return compareSearch(bench, {
    name: 'search',
    path: `/api/v4/admin/teams/${team.id}/users`,
    texts: [...NAMES, ['example', 'in every address', true], NO_HIT],
    typical: ['anna mueller', 'martin', 'smit'],
    find: (text) => listPeople(database.db, { ...scope, search: text }),
    table: 'memberships',
  });
}

/** One page of a search for directory entries. */
export async function directorySearch(bench: Bench): Promise<Row[]> {
  const { team, database } = bench;
  return compareSearch(bench, {
    name: 'directory search',
    path: `/api/v4/teams/${team.id}/compdir`,
    texts: [...NAMES, ...NUMBERS, ['example', 'in most addresses', true], NO_HIT],
    typical: ['anna mueller', 'martin', '4155550142'],
    find: (search) => listDirectory(database.db, { teamId: team.id, search, after: undefined, limit: 101 }),
    table: 'directory_entries',
  });
}

/** A search takes as long as finding every match by the index, and half as much again, or this. */
const RATIO = 1.5;
const MEDIAN_MS = 5;
const GAIN_OF_TEN = 1.7;

/** Search text and description; text that is in every row is counted without the index. */
type Text = readonly [text: string, is: string, isEverywhere?: true];

/** A list that is searched. */
interface SearchedList {
  /** Name in the report. */
  name: string;
  path: string;
  texts: readonly Text[];
  /** Searched by ten clients at once. */
  typical: readonly string[];
  /** The server's own function for a page of a search. */
  find(text: string): Promise<unknown[]>;
  /** The table that it lists. */
  table: 'memberships' | 'directory_entries';
}

/** One page of each search in the database against finding all matches by the index there, and ten clients against one. */
async function compareSearch(bench: Bench, list: SearchedList): Promise<Row[]> {
  const rows: Row[] = [];
  for (const text of list.texts) rows.push(await inDatabase(bench, list, text));
  rows.push(await underLoad(bench, list));
  return rows;
}

/** Counts all matches of what the list searches for by the search keys (decision 0032). */
async function countAll({ database, team }: Bench, list: SearchedList, [text, , isEverywhere]: Text): Promise<void> {
  const spellings = list.table === 'directory_entries' ? getSpellings(text) : [text];
  const like = spellings.map((spelling) => sql`search like ${toLikePattern(spelling)}`);
  await sql`select count(*) from ${sql.table(list.table)} where team_id = ${team.id} and (${sql.join(like, sql` or `)})
    and ${isEverywhere ? sql`true` : matchesSearchKeys(team.id, spellings)}`.execute(database.db);
}

async function inDatabase(bench: Bench, list: SearchedList, text: Text): Promise<Row> {
  const times = bench.options.isQuick ? 7 : 15;
  const [typed, is] = text;
  const hits = (await list.find(typed)).length;
  const pair = await measureInTurns(
    times,
    () => timed(() => list.find(typed)),
    () => timed(() => countAll(bench, list, text)),
  );
  return {
    row: `${list.name} “${typed}” (${is}${hits > 100 ? '' : `, ${hits} found`})`,
    ours: `${short(pair.ours)} ms`,
    limit: `${short(pair.limit)} ms to find every match`,
    ratio: pair.ratio,
    target: `≤ ${RATIO}, or ≤ ${MEDIAN_MS} ms`,
    isMet: pair.ratio <= RATIO || pair.ours <= MEDIAN_MS,
  };
}

async function underLoad({ team, server, options }: Bench, list: SearchedList): Promise<Row> {
  const cookie = await signIn(server, team);
  const calls = (nth: number) => {
    const text = encodeURIComponent(list.typical[nth % list.typical.length] ?? '');
    return { path: `${list.path}?search=${text}`, cookie };
  };
  const rate = (clients: number) => async () => {
    const { rate, failures } = await load(server.port, { clients, seconds: options.seconds, calls });
    if (failures > 0) throw new Error('Searches failed under load.');
    return rate;
  };
  const pair = await measureInTurns(options.rounds, rate(10), rate(1));
  const figures = { ...pair, unit: 'searches/s' };
  return ratioRow(`${list.name}, rate of ten clients against that of one`, figures, { min: GAIN_OF_TEN });
}
