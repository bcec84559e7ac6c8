import type { Bench } from './bench.ts';
import { copyIn, copyOut } from './copy.ts';
import { feed, removeSent, sentRows, toLines, withToken } from './feed.ts';
import { newMessages } from './messages.ts';
import { vitals, watched } from './processes.ts';
import { boundRow, type Row, ratioRow, short } from './report.ts';
import { measureInTurns, timed } from './statistics.ts';

const ROWS = { whole: 1_000_000, quick: 100_000 };
const WARM_UP_LINES = 1_000_000;
const GROWTH_MIB = 60;
const STALL_MS = 50;

/** Messages that a service sends in one body, against COPY of the same rows into the same table. */
export async function contentIngest(bench: Bench): Promise<Row[]> {
  const { place, team, options } = bench;
  await removeSent(place, team);
  const count = options.isQuick ? ROWS.quick : ROWS.whole;
  const pieces = toLines(await newMessages(place, team, count));
  try {
    return await withToken(place, team, (token) => measured(bench, { token, pieces, count }));
  } finally {
    await removeSent(place, team);
  }
}

interface Service {
  token: string;
  pieces: readonly Buffer[];
  count: number;
}

async function measured({ place, team, server, options, messages }: Bench, service: Service): Promise<Row[]> {
  const { count } = service;
  const sent = async (expected: 'accepted' | 'unchanged') => {
    const answer = await feed(server, team, service);
    if (answer[expected] !== count) throw new Error(`Of ${count} lines ${answer[expected]} were ${expected}.`);
  };
  // The server's heap grows to its working size first; at rest it is smaller again, and says nothing of what grows.
  const first = await watched(server, async () => {
    await sent('accepted');
    for (let lines = count; lines < WARM_UP_LINES; lines += count) await sent('unchanged');
  });
  const copied = await readBytes(place.url, sentRows(team));
  await removeSent(place, team);

  const atRest = await vitals(server);
  const worst = { stallMs: 0, residentMiB: 0 };
  const seen = async (work: () => Promise<void>) => {
    let took = 0;
    const { stallMs, residentMiB } = await watched(server, async () => {
      took = await timed(work);
    });
    worst.stallMs = Math.max(worst.stallMs, stallMs);
    worst.residentMiB = Math.max(worst.residentMiB, residentMiB);
    return took / 1000;
  };
  const ours = async () => {
    await removeSent(place, team);
    return seen(() => sent('accepted'));
  };
  const copy = async () => {
    await removeSent(place, team);
    return (await timed(() => copyIn(place.url, 'copy messages from stdin', copied))) / 1000;
  };
  const pair = await measureInTurns(options.isQuick ? 3 : 5, ours, copy);
  // What the last round copied is what would be sent.
  const again = await seen(() => sent('unchanged'));

  const number = (rows: number) => rows.toLocaleString('en-US');
  const name = `content ingest of ${number(count)} messages`;
  const growth = Math.max(0, worst.residentMiB - first.residentMiB);
  return [
    ratioRow(`${name} into ${number(messages)}, against COPY`, { ...pair, unit: 's' }, { max: 3 }),
    boundRow('content ingest, server memory beyond that of the first million', growth, {
      max: GROWTH_MIB,
      unit: 'MiB',
      limit: `${short(worst.residentMiB)} MiB at most, ${short(atRest.residentMiB)} at rest`,
    }),
    boundRow('content ingest, longest stall of the event loop', worst.stallMs, { max: STALL_MS, unit: 'ms' }),
    { row: `${name}, all of them there already`, ours: `${short(again)} s`, limit: '', target: '' },
  ];
}

async function readBytes(url: string, query: string): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  // The bytes are only there until the next ones come.
  await copyOut(url, `copy (${query}) to stdout`, (chunk) => chunks.push(Buffer.from(chunk)));
  return chunks;
}
