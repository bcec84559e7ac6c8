import { matchesSearchKeys, toLikePattern } from '@steward/server/src/platform/database/search-plan.ts';
import { sql } from 'kysely';
import type { Bench } from './bench.ts';
import { load } from './load.ts';
import { signIn } from './processes.ts';
import { type Row, ratioRow, short } from './report.ts';
import { median, medianTime, percentile } from './statistics.ts';

const MEDIAN_MS = 5;

/** What is typed, and what it is; one that every row holds is never asked of the index, and is counted without it. */
export type Text = readonly [text: string, is: string, isEverywhere?: true];

/** A list that is searched. */
export interface SearchedList {
  /** As the table of figures names it. */
  name: string;
  path: string;
  texts: readonly Text[];
  /** Those of them that are searched by many at once. */
  typical: readonly string[];
  /** The server's own function for a page of a search. */
  find(text: string): Promise<unknown[]>;
  /** The table that it lists. */
  table: 'memberships' | 'directory_entries';
}

/** One page of each search in the database, and under ten clients. */
export async function searched(bench: Bench, list: SearchedList): Promise<Row[]> {
  const rows: Row[] = [];
  for (const text of list.texts) rows.push(await inDatabase(bench, list, text));
  rows.push(await underLoad(bench, list));
  return rows;
}

/** Names every match of a text by its keys, without the looks at the next names and without an order (decision 0032). */
async function countAll({ place, team }: Bench, table: string, [text, , isEverywhere]: Text): Promise<void> {
  await sql`select count(*) from ${sql.table(table)} where team_id = ${team.id} and search like ${toLikePattern(text)}
    and ${isEverywhere ? sql`true` : matchesSearchKeys(team.id, [text])}`.execute(place.db);
}

async function inDatabase(bench: Bench, list: SearchedList, text: Text): Promise<Row> {
  const times = bench.options.isQuick ? 7 : 15;
  const [typed, is] = text;
  const hits = (await list.find(typed)).length;
  const ours = await medianTime(times, () => list.find(typed));
  // What the index alone takes to name every match: a page needs more than that, and often less than every match.
  const limit = await medianTime(3, () => countAll(bench, list.table, text));
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
