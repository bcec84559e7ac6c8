import { copyIn, copyRows } from '../setup/copy.ts';
import { createWatch, vitals, watchServer } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';
import { newMessages } from './messages.ts';
import { removeSent, sendContent, sentRows, toLines, withToken } from './send-content.ts';

const ROWS = { whole: 1_000_000, quick: 100_000 };
const WARM_UP_LINES = 1_000_000;
const GROWTH_MIB = 60;
const STALL_MS = 50;

/** Messages that a service sends in one body, against COPY of the same rows into the same table. */
export async function contentIngest(bench: Bench): Promise<Row[]> {
  const { database, team, options } = bench;
  await removeSent(database, team);
  const count = options.isQuick ? ROWS.quick : ROWS.whole;
  const pieces = toLines(await newMessages(database, team, count));
  try {
    return await withToken(database, team, (token) => measureRows(bench, { token, pieces, count }));
  } finally {
    await removeSent(database, team);
  }
}

interface Service {
  token: string;
  pieces: readonly Buffer[];
  count: number;
}

async function measureRows({ database, team, server, options, messages }: Bench, service: Service): Promise<Row[]> {
  const { count } = service;
  const sent = async (expected: 'accepted' | 'unchanged') => {
    const answer = await sendContent(server, team, service);
    if (answer[expected] !== count) throw new Error(`Of ${count} lines ${answer[expected]} were ${expected}.`);
  };
  // The heap first grows to its working size.
  const first = await watchServer(server, async () => {
    await sent('accepted');
    for (let lines = count; lines < WARM_UP_LINES; lines += count) await sent('unchanged');
  });
  const copied = await copyRows(database.url, sentRows(team));
  await removeSent(database, team);

  const atRest = await vitals(server);
  const { worst, time } = createWatch(server);
  const ours = async () => {
    await removeSent(database, team);
    return time(() => sent('accepted'));
  };
  const copy = async () => {
    await removeSent(database, team);
    return (await timed(() => copyIn(database.url, 'copy messages from stdin', copied))) / 1000;
  };
  const pair = await measureInTurns(options.isQuick ? 3 : 5, ours, copy);
  // The last round copied the same rows.
  const again = await time(() => sent('unchanged'));

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
    { row: `${name}, all already stored`, ours: `${short(again)} s`, limit: '', target: '' },
  ];
}
