import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import type { Bench } from './bench.ts';
import type { Place } from './bench-database.ts';
import { startServer, vitals } from './processes.ts';
import { boundRow, type Row, short } from './report.ts';
import { median, timed } from './statistics.ts';

const TIMES = 5;
const POSTGRES_MS = 1_500;
const EMBEDDED_MS = 3_000;
const RESIDENT_MIB = 160;

/** From starting the process to the first answer of /readyz, with data there; and what it then weighs. */
export async function coldStart({ place, embedded }: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const starts: number[] = [];
  const limits: number[] = [];
  let resident = 0;
  for (let time = 0; time < TIMES; time += 1) {
    limits.push((await timed(nothing)) + (await timed(() => openDatabase(place))));
    const server = await startServer(place);
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

async function embeddedStart(place: Place, beside: (numbers: number[]) => string): Promise<Row> {
  const starts: number[] = [];
  const limits: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await place.lower();
    limits.push((await timed(nothing)) + (await timed(place.raise)) + (await timed(() => openDatabase(place))));
    await place.lower();
    const server = await startServer(place, { embedded: true });
    starts.push(server.readyAfter);
    await server.stop();
    await place.raise();
  }
  return boundRow('cold start, embedded', median(starts), { max: EMBEDDED_MS, unit: 'ms', limit: beside(limits) });
}

async function nothing(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
}

async function openDatabase(place: Place): Promise<void> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  await client.query('select 1');
  await client.end();
}
