import { setTimeout as pause } from 'node:timers/promises';
import { toIntegrationId } from '@steward/server/src/features/integrations/providers/registry.ts';
import { getTeam, type Team } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import { type Server, signIn } from '../setup/processes.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile } from '../setup/statistics.ts';

/** Templates that are stopped by the time limit, by a limit of what they do, or not at all. */
const SOURCES = [
  `{{ (1..400000) | where: "${'a.'.repeat(900)}a" }}`,
  `{% assign r = (1..900000) %}{% if ${Array(80).fill('r contains 0').join(' or ')} %}{% endif %}`,
  `{"text": "${Array.from({ length: 900 }, (_, nth) => `{{ticket.requester.organization.cusotm_field_${nth}}}`).join('')}"}`,
];
/** Requests of each of two teams; both threads are busy then. */
const REQUESTS = 50;
/** Fewer than may wait, so that none is refused. */
const CLIENTS = 4;
const PROBE_MS = 5;
const QUIET_MS = 5_000;
const HEALTHZ_MS = 100;

/** A hundred previews of templates that would block for up to minutes, and how long other calls wait. */
export async function templates(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  const other = await getTeam(database, { people: 0, entries: 0 }, () => undefined);
  const quiet = await probe(server, pause(QUIET_MS));
  const attacks = Promise.all([attack(server, team), attack(server, other)]);
  const during = await probe(server, attacks);
  const counts = new Map<number, number>();
  for (const status of (await attacks).flat()) counts.set(status, (counts.get(status) ?? 0) + 1);
  const answers = [...counts].map(([status, count]) => `${count} with ${status}`).join(', ');
  if ((counts.get(200) ?? 0) < REQUESTS) throw new Error(`The previews were answered ${answers}.`);
  return [
    boundRow(`p99 of /healthz during ${2 * REQUESTS} such previews (answered ${answers})`, percentile(during, 99), {
      max: HEALTHZ_MS,
      unit: 'ms',
      limit: `${short(percentile(quiet, 99))} ms without`,
    }),
    {
      row: 'the same: median, longest',
      ours: `${short(percentile(during, 50))} ms, ${short(Math.max(...during))} ms`,
      limit: `${short(percentile(quiet, 50))} ms, ${short(Math.max(...quiet))} ms without`,
      target: '',
    },
  ];
}

/** The statuses of previews that several clients send one after another. */
async function attack(server: Server, team: Team): Promise<number[]> {
  const cookie = await signIn(server, team);
  const codes = ['webhook', 'webhook', 'zendesk'];
  const statuses: number[] = [];
  let nth = 0;
  const work = async () => {
    const client = openClient(server.port);
    while (nth < REQUESTS) {
      const kind = nth++ % SOURCES.length;
      const integration = toIntegrationId(team.id, codes[kind] ?? '');
      const path = `/api/v4/admin/teams/${team.id}/integrations/${integration}/preview`;
      const body = { message: Buffer.from(SOURCES[kind] ?? '').toString('base64') };
      statuses.push((await client.send({ path, method: 'POST', cookie, body })).status);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return statuses;
}

/** Milliseconds of calls of /healthz until something is over. */
async function probe({ port }: Server, until: Promise<unknown>): Promise<number[]> {
  const client = openClient(port);
  const times: number[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  until.then(end, end);
  while (!isOver) {
    const sent = performance.now();
    await client.send({ path: '/healthz' });
    times.push(performance.now() - sent);
    await pause(PROBE_MS);
  }
  client.close();
  return times;
}
