import { setTimeout as pause } from 'node:timers/promises';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { findGeneralChannel } from '@steward/server/testing/workspace/content.ts';
import { delivery, recreateHelpdesk, type TestHelpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { type BenchDatabase, getTeam } from '../setup/database.ts';
import { load, openClient } from '../setup/load.ts';
import { signIn } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile, timed } from '../setup/statistics.ts';

/** Tickets that change continuously, each in its own order. */
const TICKETS = 20;
const EACH = 50;
const STORM_MS = 10_000;
const QUIET_SECONDS = 5;
/** The help desk waits at most this long for an answer. */
const COUNTING_DELAY_MS = 3_000;

/** A thousand deliveries in ten seconds for one team, and their effect on other calls. */
export async function deliveries(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const others = { clients: 2, calls: () => ({ path, cookie }) };
  const busy = { db: database.db, deps: { secrets: createSecrets(database.secretKey) } };
  const { id: teamId } = await getTeam(database, { people: 0, entries: 0 }, () => undefined);
  const room = await findGeneralChannel(busy, teamId);
  const desk = await recreateHelpdesk(busy, teamId, { channels: [room] });

  const quiet = await load(server.port, { ...others, seconds: QUIET_SECONDS });
  const [storm, noisy] = await Promise.all([
    deliverAll(server.port, desk),
    load(server.port, { ...others, seconds: STORM_MS / 1_000 }),
  ]);
  const posting = await timed(() => allPosted(database, teamId));
  const failures = quiet.failures + noisy.failures;
  if (failures > 0) throw new Error(`${failures} calls of others failed.`);
  const posted = await postedInOrder(database, room.id, storm.accepted);
  const p95 = { ours: percentile(noisy.times, 95), limit: percentile(quiet.times, 95), unit: 'ms' };
  const counts = `${posted} posted in order, ${storm.refused} asked to retry`;
  return [
    ratioRow('p95 of list calls of another team while 100 deliveries a second come in, against without', p95, {
      max: 2,
    }),
    boundRow(`p95 of the answers to these deliveries (${counts})`, percentile(storm.times, 95), {
      max: COUNTING_DELAY_MS,
      unit: 'ms',
    }),
    boundRow('the same: until the last one was in the channel', posting, { max: 10_000, unit: 'ms' }),
  ];
}

interface Storm {
  times: number[];
  /** Texts that were accepted. */
  accepted: Set<string>;
  refused: number;
}

/** Each ticket sends its changes one after another, all tickets in parallel, spread evenly. */
async function deliverAll(port: number, desk: TestHelpdesk): Promise<Storm> {
  const storm: Storm = { times: [], accepted: new Set(), refused: 0 };
  const from = performance.now();
  const send = async (ticket: number) => {
    const client = openClient(port);
    for (let nth = 0; nth < EACH; nth += 1) {
      await pause(Math.max(0, from + ((nth + ticket / TICKETS) * STORM_MS) / EACH - performance.now()));
      const body = { text: `Ticket ${ticket} change ${nth}` };
      const { headers } = delivery(desk, { body: JSON.stringify(body), headers: { 'content-type': undefined } });
      const sent = performance.now();
      const { status } = await client.send({ path: desk.path, method: 'POST', headers, body });
      storm.times.push(performance.now() - sent);
      if (status === 200) storm.accepted.add(body.text);
      else if (status === 429 || status === 503) storm.refused += 1;
      else throw new Error(`A delivery was answered with ${status}.`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: TICKETS }, (_, ticket) => send(ticket)));
  return storm;
}

async function allPosted({ pool }: BenchDatabase, teamId: string): Promise<void> {
  const waiting = `select 1 from deliveries where team_id = $1 and state = 'waiting' limit 1`;
  while ((await pool.query(waiting, [teamId])).rows.length > 0) await pause(20);
}

/** Number of messages in the channel; checks that each accepted delivery is there once, in the order of its ticket. */
async function postedInOrder({ pool }: BenchDatabase, channelId: string, accepted: Set<string>): Promise<number> {
  const { rows } = await pool.query<{ text: string }>(
    'select text from messages where channel_id = $1 order by create_at desc, id desc limit $2',
    [channelId, accepted.size + 1],
  );
  const texts = rows.map(({ text }) => text).reverse();
  const ours = texts.filter((text) => accepted.has(text));
  const last = new Map<string, number>();
  for (const text of ours) {
    const [, ticket = '', , nth] = text.split(' ');
    if (Number(nth) <= (last.get(ticket) ?? -1)) throw new Error(`“${text}” is out of order or duplicated.`);
    last.set(ticket, Number(nth));
  }
  if (ours.length !== accepted.size) throw new Error(`${accepted.size} were accepted, ${ours.length} posted.`);
  return ours.length;
}
