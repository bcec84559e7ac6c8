import { listPeople } from '@steward/server/src/features/users/users.store.ts';
import type { Bench } from './bench.ts';
import { median, medianTime, percentile } from './figures.ts';
import { load } from './load.ts';
import type { Place, Team } from './place.ts';
import { signIn } from './processes.ts';
import { type Row, ratioRow, short } from './report.ts';

const MEDIAN_MS = 5;
/** Typical texts, and those that a plan can be wrong about: everywhere, late in the alphabet, too short for trigrams. */
const TEXTS: [text: string, is: string][] = [
  ['anna mueller', '12 letters'],
  ['martin', '6 letters'],
  ['smit', '4 letters'],
  ['anna', '4 frequent letters'],
  ['zoe', '3 letters, late'],
  ['an', '2 frequent letters'],
  ['qu', '2 rarer letters'],
  ['qx', '2 letters, no hit'],
  ['example', 'in every address'],
  ['qqxxqq', 'no hit'],
];
const TYPICAL = ['anna mueller', 'martin', 'smit'];

/** One page of a search in the database, and under ten clients. */
export async function search(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [text, is] of TEXTS) rows.push(await inDatabase(bench, text, is));
  rows.push(await underLoad(bench));
  return rows;
}

/** Asks the store itself for one page of a search. */
async function searchPage({ db }: Place, team: Team, text: string): Promise<number> {
  const asked = { owners: false, admins: false, members: false, deactivated: false, after: undefined, limit: 101 };
  return (await listPeople(db, { teamId: team.id, search: text, ...asked })).length;
}

async function inDatabase({ place, team, options }: Bench, text: string, is: string): Promise<Row> {
  const times = options.isQuick ? 7 : 15;
  const hits = await searchPage(place, team, text);
  const ours = await medianTime(times, () => searchPage(place, team, text));
  // What the index alone takes to name every match: a page needs more than that, and often less than every match.
  const count = 'select count(*) from memberships where team_id = $1 and search like $2';
  const limit = await medianTime(3, () => place.pool.query(count, [team.id, `%${text}%`]));
  return {
    row: `search «${text}» (${is}${hits > 100 ? '' : `, ${hits} found`})`,
    ours: `${short(ours)} ms`,
    limit: `${short(limit)} ms to count all`,
    target: `≤ ${MEDIAN_MS} ms`,
    isMet: ours <= MEDIAN_MS,
  };
}

async function underLoad({ team, server, options }: Bench): Promise<Row> {
  const cookie = await signIn(server, team);
  const calls = (nth: number) => {
    const text = encodeURIComponent(TYPICAL[nth % TYPICAL.length] ?? '');
    return { path: `/api/v4/admin/teams/${team.id}/users?search=${text}`, cookie };
  };
  const one = await load(server.port, { clients: 1, seconds: options.rounds, calls });
  const ten = await load(server.port, { clients: 10, seconds: options.rounds, calls });
  if (one.failures + ten.failures > 0) throw new Error('Searches failed under load.');
  const figures = { ours: percentile(ten.times, 95), limit: median(one.times), unit: 'ms' };
  return ratioRow('search, p95 of 10 clients against the median of one', figures, { max: 4 });
}
