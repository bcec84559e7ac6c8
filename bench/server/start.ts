import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { newRows, removeUploaded, upload } from '../directory/upload.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';
import { load } from '../setup/load.ts';
import { signIn, startServer, vitals } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, median, timed } from '../setup/statistics.ts';

const TIMES = 5;
const POSTGRES_MS = 1_500;
const EMBEDDED_MS = 3_000;
const RESIDENT_MIB = 160;

/** From the start of the process to the first success of /readyz, with data; and memory use then. */
export async function coldStart({ database, embedded }: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const starts: number[] = [];
  const limits: number[] = [];
  let resident = 0;
  for (let time = 0; time < TIMES; time += 1) {
    limits.push((await timed(nothing)) + (await timed(() => openDatabase(database))));
    const server = await startServer(database);
    starts.push(server.readyAfter);
    resident = (await vitals(server)).residentMiB;
    await server.stop();
  }
  const beside = (numbers: number[]) => `${short(median(numbers))} ms node -e 0 and opening the database`;
  const limit = beside(limits);
  rows.push(boundRow('cold start, PostgreSQL running', median(starts), { max: POSTGRES_MS, unit: 'ms', limit }));
  rows.push(boundRow('resident memory after the start', resident, { max: RESIDENT_MIB, unit: 'MiB' }));
  if (embedded) rows.push(await embeddedStart(embedded, beside));
  return rows;
}

async function embeddedStart(database: BenchDatabase, beside: (numbers: number[]) => string): Promise<Row> {
  const starts: number[] = [];
  const limits: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await database.stop();
    limits.push((await timed(nothing)) + (await timed(database.start)) + (await timed(() => openDatabase(database))));
    await database.stop();
    const server = await startServer(database, { embedded: true });
    starts.push(server.readyAfter);
    await server.stop();
    await database.start();
  }
  return boundRow('cold start, embedded', median(starts), { max: EMBEDDED_MS, unit: 'ms', limit: beside(limits) });
}

async function nothing(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
}

async function openDatabase(database: BenchDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select 1');
  await client.end();
}

const UPLOADED = { rows: 50_000, perCall: 2_000 };

/** The same list, search and upload on the embedded server and on the one that --database names. */
export async function compareEmbedded(bench: Bench): Promise<Row[]> {
  const { embedded, database, options } = bench;
  if (!embedded || embedded === database) return [];
  const own = await createSide(bench, embedded, await bench.teamOn(embedded));
  const other = await createSide(bench, database, bench.team);
  try {
    const rows: Row[] = [];
    for (const [name, query] of [
      ['list', ''],
      ['search', '?search=martin'],
    ] as const) {
      const measureRate = (side: Side) => async () => (await side.rate(query, options.seconds)).rate;
      const pair = await measureInTurns(options.rounds, measureRate(own), measureRate(other));
      const figures = { ...pair, unit: 'requests/s' };
      rows.push(ratioRow(`embedded, ${name}, against PostgreSQL`, figures, { min: 0.9 }));
    }
    const pair = await measureInTurns(options.isQuick ? 3 : 5, own.upload, other.upload);
    rows.push(ratioRow('embedded, directory upload, against PostgreSQL', { ...pair, unit: 'rows/s' }, { min: 0.9 }));
    return rows;
  } finally {
    await own.stop();
    await other.stop();
  }
}

interface Side {
  rate(query: string, seconds: number): ReturnType<typeof load>;
  upload(): Promise<number>;
  stop(): Promise<void>;
}

async function createSide(bench: Bench, database: BenchDatabase, team: Team): Promise<Side> {
  const server = database === bench.database ? bench.server : await startServer(database);
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const rows = await newRows(team, UPLOADED.rows);
  return {
    rate: (query, seconds) =>
      load(server.port, { clients: 10, seconds, calls: () => ({ path: path + query, cookie }) }),
    upload: async () => {
      const took = await timed(() => upload({ server, team, cookie }, { rows, perCall: UPLOADED.perCall }));
      await removeUploaded(database, team);
      return (rows.length / took) * 1000;
    },
    stop: async () => (server === bench.server ? undefined : server.stop()),
  };
}
