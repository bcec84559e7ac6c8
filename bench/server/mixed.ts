import { setTimeout as delay } from 'node:timers/promises';
import { type Call, load } from '../setup/load.ts';
import { signIn, vitals, watchServer } from '../setup/processes.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile, slope } from '../setup/statistics.ts';
import { RESIDENT_MIB, TEXTS } from './memory.ts';

/** Growth that would matter within days, in MiB per minute. */
const SLOPE = 5;

/** Ten clients sending a mix of calls. */
export async function mixed({ database, team, server, options }: Bench): Promise<Row[]> {
  const cookie = await signIn(server, team);
  const { rows } = await database.pool.query(
    `select p.id, p.email from memberships m join people p on p.id = m.person_id
     where m.team_id = $1 and not m.deactivated and m.roles = '{team_user}' order by p.id limit 100`,
    [team.id],
  );
  const seconds = options.isQuick ? 10 : 60;
  const callFor = createMix({ teamId: team.id, people: rows, cookie });
  const times: number[] = [];
  let failures = 0;
  let rate = 0;
  const { samples } = await watchServer(server, async () => {
    const result = await load(server.port, { clients: 10, seconds, calls: callFor });
    times.push(...result.times);
    failures = result.failures;
    rate = result.rate;
  });
  // The heap first grows to its working size; a leak would grow beyond it.
  const points = samples
    .slice(Math.floor(samples.length / 3))
    .map(({ residentMiB }, nth) => ({ x: nth / 240, y: residentMiB }));
  const growth = slope(points);
  // V8 returns memory some seconds after the last call, if it does.
  await delay(20_000);
  const after = await vitals(server);
  const figures = `${short(rate)} calls/s, p50 ${short(percentile(times, 50))} ms, p99 ${short(percentile(times, 99))} ms`;
  return [
    {
      row: `10 clients, mixed calls, ${seconds} s: failures`,
      ours: String(failures),
      limit: figures,
      target: '0',
      isMet: failures === 0,
    },
    {
      row: 'mixed calls, memory a minute',
      ours: `${growth.toFixed(1)} MiB`,
      limit: `${short(Math.max(...samples.map(({ residentMiB }) => residentMiB)))} MiB resident at most`,
      target: `about 0 (≤ ${SLOPE})`,
      isMet: growth <= SLOPE,
    },
    boundRow('resident memory 20 seconds after that load', after.residentMiB, { max: RESIDENT_MIB, unit: 'MiB' }),
  ];
}

function createMix(of: { teamId: string; people: { id: string; email: string }[]; cookie: string }) {
  const { teamId, people, cookie } = of;
  const users = `/api/v4/admin/teams/${teamId}/users`;
  return (nth: number): Call => {
    const person = people[nth % people.length];
    const kinds: Call[] = [
      { path: users },
      { path: `${users}?search=${encodeURIComponent(TEXTS[nth % TEXTS.length] ?? '')}` },
      { path: '/api/v4/users/cookie_login' },
      { path: '/api/v4/users/status/ids', method: 'POST', body: people.map(({ id }) => id) },
      { path: `${users}?workspace_admin=1` },
      { path: '/api/v4/users/me' },
      // Alternates between member and admin, so that each save is a change with an audit entry.
      {
        path: users,
        method: 'POST',
        body: { email: person?.email, account_type: 1 + (Math.floor(nth / people.length) % 2) },
      },
    ];
    return { cookie, ...(kinds[nth % kinds.length] ?? { path: users }) };
  };
}
