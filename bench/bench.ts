// `npm run bench`: figures beside a reference taken in the same run, and their bounds. docs/performance.md describes each row.
import { parseArgs } from 'node:util';
import { connectedLists, connectedPreview, ingest } from './rows/connections.ts';
import { exportLists } from './rows/export.ts';
import { home } from './rows/home.ts';
import { listPages } from './rows/lists.ts';
import { memory } from './rows/memory.ts';
import { firstLoad, firstRow, scrolling } from './rows/portal.ts';
import { preview, purge } from './rows/retention.ts';
import { searchLarge, searchSmall } from './rows/search.ts';
import { signIns } from './rows/sign-in.ts';
import { start } from './rows/start.ts';
import { upload } from './rows/upload.ts';
import { worstBodies } from './rows/worst-bodies.ts';
import { type Connection, fillConnection } from './setup/connection.ts';
import { type BenchDatabase, fillTeam, openDatabase, type Team } from './setup/database.ts';
import { type Figure, formatTable, isMet, machine } from './setup/statistics.ts';

export interface Bench {
  database: BenchDatabase;
  /** 100,000 users and entries, and 1,000,000 messages if the row needs them. */
  small: Team;
  /** 1,000,000 users and entries, and 10,000,000 messages if the row needs them. */
  large: Team;
  /** A connected server of a third team, if the row needs it. */
  connection: Connection | undefined;
  /** Number of measurements on each side. */
  rounds: number;
  isQuick: boolean;
}

interface Row {
  run: (bench: Bench) => Promise<Figure[]>;
  needs: readonly ('small' | 'small messages' | 'large' | 'messages' | 'connection')[];
}

const ROWS: Record<string, Row> = {
  list: { run: listPages, needs: ['large'] },
  search: { run: searchSmall, needs: ['small'] },
  'search-million': { run: searchLarge, needs: ['large'] },
  export: { run: exportLists, needs: ['small'] },
  upload: { run: upload, needs: ['small'] },
  purge: { run: purge, needs: ['small', 'messages'] },
  preview: { run: preview, needs: ['messages'] },
  'sign-in': { run: signIns, needs: ['small'] },
  'first-load': { run: firstLoad, needs: ['small'] },
  'first-row': { run: firstRow, needs: ['small'] },
  scroll: { run: scrolling, needs: ['small'] },
  start: { run: start, needs: ['small'] },
  memory: { run: memory, needs: ['large'] },
  home: { run: home, needs: ['small', 'small messages'] },
  'connected-list': { run: connectedLists, needs: ['connection'] },
  'connected-ingest': { run: ingest, needs: ['connection'] },
  'connected-preview': { run: connectedPreview, needs: ['connection'] },
  'worst-bodies': { run: worstBodies, needs: [] },
};

const SIZES = {
  whole: { small: 100_000, large: 1_000_000, messages: 10_000_000 },
  quick: { small: 20_000, large: 100_000, messages: 2_000_000 },
};

const HELP = `npm run bench -- [options]

  --rows a,b   only these rows: ${Object.keys(ROWS).join(', ')}
  --quick      smaller data and fewer rounds, for a first look: fixed costs weigh more, so purge and preview can miss
  --data DIR   keep the database there and use it again; otherwise it is temporary

Exits with 1 if a bound is missed or a row fails.
`;

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      quick: { type: 'boolean', default: false },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const names = values.rows?.split(',') ?? Object.keys(ROWS);
  const rows = names.map((name) => {
    const row = ROWS[name];
    if (!row) throw new Error(`Unknown row ${name}. Rows: ${Object.keys(ROWS).join(', ')}.`);
    return { name, ...row };
  });
  const size = values.quick ? SIZES.quick : SIZES.whole;
  const needs = (what: Row['needs'][number]) => rows.some((row) => row.needs.includes(what));
  const countOf = (isNeeded: boolean, count: number) => (isNeeded ? count : 0);
  await using database = await openDatabase(values.data);
  const fill = (name: string, people: number, messages: number) =>
    fillTeam(database, { name, people, entries: people, messages }, say);
  const bench: Bench = {
    database,
    small: await fill('small', countOf(needs('small'), size.small), countOf(needs('small messages'), size.small * 10)),
    large: await fill('large', countOf(needs('large'), size.large), countOf(needs('messages'), size.messages)),
    connection: needs('connection')
      ? await fillConnection(database, await fill('connected', 0, 0), values.quick)
      : undefined,
    rounds: values.quick ? 3 : 7,
    isQuick: values.quick,
  };
  const measured: { name: string; figures: Figure[] }[] = [];
  const missed: string[] = [];
  for (const { name, run } of rows) {
    say(`measuring ${name}`);
    try {
      const figures = await run(bench);
      measured.push({ name, figures });
      if (!figures.every(isMet)) missed.push(name);
    } catch (error) {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      missed.push(`${name} (failed)`);
    }
  }
  const summary = `${rows.length - missed.length} of ${rows.length} rows met their bounds${missed.length > 0 ? `; missed: ${missed.join(', ')}` : ''}.`;
  process.stdout.write(`\n${machine()}\n\n${formatTable(measured)}\n\n${summary}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

await main().catch((error) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
