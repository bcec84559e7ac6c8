import type { Bench } from './bench.ts';
import { median, medianTime, percentile } from './figures.ts';
import { load } from './load.ts';
import { signIn } from './processes.ts';
import { type Row, ratioRow, short } from './report.ts';

const MEDIAN_MS = 5;

/** A list that is searched. */
export interface SearchedList {
  /** As the table of figures names it. */
  name: string;
  path: string;
  texts: readonly [text: string, is: string][];
  /** Those of them that are searched by many at once. */
  typical: readonly string[];
  /** The server's own function for a page of a search. */
  find(text: string): Promise<unknown[]>;
  /** Statement that counts what in the team $1 is like $2. */
  count: string;
}

/** One page of each search in the database, and under ten clients. */
export async function searched(bench: Bench, list: SearchedList): Promise<Row[]> {
  const rows: Row[] = [];
  for (const text of list.texts) rows.push(await inDatabase(bench, list, text));
  rows.push(await underLoad(bench, list));
  return rows;
}

async function inDatabase({ place, team, options }: Bench, list: SearchedList, text: [string, string]): Promise<Row> {
  const times = options.isQuick ? 7 : 15;
  const [typed, is] = text;
  const hits = (await list.find(typed)).length;
  const ours = await medianTime(times, () => list.find(typed));
  // What the index alone takes to name every match: a page needs more than that, and often less than every match.
  const limit = await medianTime(3, () => place.pool.query(list.count, [team.id, `%${typed}%`]));
  return {
    row: `${list.name} «${typed}» (${is}${hits > 100 ? '' : `, ${hits} found`})`,
    ours: `${short(ours)} ms`,
    limit: `${short(limit)} ms to count all`,
    target: `≤ ${MEDIAN_MS} ms`,
    isMet: ours <= MEDIAN_MS,
  };
}

async function underLoad({ team, server, options }: Bench, list: SearchedList): Promise<Row> {
  const cookie = await signIn(server, team);
  const calls = (nth: number) => {
    const text = encodeURIComponent(list.typical[nth % list.typical.length] ?? '');
    return { path: `${list.path}?search=${text}`, cookie };
  };
  const one = await load(server.port, { clients: 1, seconds: options.rounds, calls });
  const ten = await load(server.port, { clients: 10, seconds: options.rounds, calls });
  if (one.failures + ten.failures > 0) throw new Error('Searches failed under load.');
  const figures = { ours: percentile(ten.times, 95), limit: median(one.times), unit: 'ms' };
  return ratioRow(`${list.name}, p95 of 10 clients against the median of one`, figures, { max: 4 });
}
