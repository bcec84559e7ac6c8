import type { Bench } from './bench.ts';
import { copyOut } from './copy.ts';
import { openClient } from './load.ts';
import { signIn, vitals, watched } from './processes.ts';
import { boundRow, type Row, ratioRow } from './report.ts';
import { timed } from './statistics.ts';

const GROWTH_MIB = 60;
const STALL_MS = 50;

/** A list that is exported. */
export interface ExportedList {
  /** As the table of figures names it, and what it holds. */
  name: string;
  of: string;
  /** Path with its filters, up to a first `?`. */
  path: string;
  rows: number;
  /** A text that each record has once. */
  mark: string;
  /** The same columns in the same order as one query. */
  query: string;
}

/** All of a list, page after page of 2,000, against one COPY of the same columns in the same order. */
export async function compareWithCopy(bench: Bench, list: ExportedList): Promise<Row[]> {
  const { place, team, server } = bench;
  const cookie = await signIn(server, team);
  await pages(bench, list, { cookie, most: 20 });
  const before = await vitals(server);
  let took = 0;
  const worst = await watched(server, async () => {
    took = await timed(() => pages(bench, list, { cookie, most: Number.POSITIVE_INFINITY }));
  });
  const copied = await timed(() => copyOut(place.url, `copy (${list.query}) to stdout`));
  const figures = { ours: took / 1000, limit: copied / 1000, unit: 's' };
  const growth = worst.residentMiB - before.residentMiB;
  const { name } = list;
  return [
    ratioRow(`${name} of ${list.rows.toLocaleString('en-US')} ${list.of}, against COPY`, figures, { max: 4 }),
    boundRow(`${name}, server memory beyond before`, growth, { max: GROWTH_MIB, unit: 'MiB' }),
    boundRow(`${name}, longest stall of the event loop`, worst.stallMs, { max: STALL_MS, unit: 'ms' }),
  ];
}

async function pages({ server }: Bench, list: ExportedList, { cookie, most }: { cookie: string; most: number }) {
  const client = openClient(server.port);
  const path = `${list.path}limit=2000`;
  let lastKey = '';
  let records = 0;
  for (let page = 0; page < most; page += 1) {
    const { status, body } = await client.send({ path: path + (lastKey && `&last_key=${lastKey}`), cookie });
    if (status !== 200) throw new Error(`A page of the export answered ${status}.`);
    // A client that writes a file reads the rows; here only where to go on is read, as COPY's rows are not read either.
    const text = body.toString('latin1');
    records += text.split(list.mark).length - 1;
    const next = /"last_key":(?:"([^"]*)"|null)/.exec(text.slice(-1_000))?.[1];
    if (next === undefined) break;
    lastKey = encodeURIComponent(next);
  }
  client.close();
  if (most === Number.POSITIVE_INFINITY && records < list.rows)
    throw new Error(`The export has ${records} ${list.of} only.`);
}
