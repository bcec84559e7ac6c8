import { setTimeout as delay } from 'node:timers/promises';
import { type Client, load, openClient } from '../setup/load.ts';
import { signIn } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile, timed } from '../setup/statistics.ts';

const PEOPLE = 10_000;
/** Deactivating and reactivating in turns leaves the team as it was. */
const TURNS = 2;
const POLL_MS = 50;

/** A change to 10,000 users, and what it does to the list calls of others. */
export async function bulk(bench: Bench): Promise<Row[]> {
  const { database, team, server, options } = bench;
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const { rows } = await database.pool.query(
    `select person_id as id from memberships where team_id = $1 and roles = '{team_user}' and not deactivated and email is null
      order by md5(person_id) limit $2`,
    [team.id, PEOPLE],
  );
  const ids = rows.map(({ id }) => id);
  const client = openClient(server.port);
  const listP95 = async (seconds: number) => {
    const { times } = await load(server.port, { clients: 2, seconds, calls: () => ({ path, cookie }) });
    return percentile(times, 95);
  };
  const seconds = options.seconds * 3;
  await listP95(seconds);
  const times: number[] = [];
  const ratios: { beside: number; alone: number }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const action of ['deactivate', 'reactivate']) {
      const alone = await listP95(seconds);
      let beside = 0;
      const time = await timed(async () => {
        const job = run(client, { path: `${path}/bulk`, cookie, body: { action, user_ids: ids } });
        [beside] = await Promise.all([listP95(seconds), job]);
      });
      times.push(time);
      ratios.push({ beside, alone });
    }
  }
  client.close();
  ratios.sort((one, other) => one.beside / one.alone - other.beside / other.alone);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? { beside: 0, alone: 1 };
  const count = PEOPLE.toLocaleString('en-US');
  return [
    boundRow(`deactivating or reactivating ${count} users`, Math.max(...times), { max: 30_000, unit: 'ms' }),
    ratioRow(
      'p95 of list calls during that, against without',
      { ours: middle.beside, limit: middle.alone, unit: 'ms' },
      { max: 2 },
    ),
  ];
}

interface Job {
  path: string;
  cookie: string;
  body: { action: string; user_ids: string[] };
}

/** Starts a job and waits for its end. */
async function run(client: Client, { path, cookie, body }: Job): Promise<void> {
  const started = await client.send({ path, method: 'POST', cookie, body });
  if (started.status !== 200) throw new Error(`${started.status} ${started.body}`);
  const { id } = JSON.parse(started.body.toString());
  for (;;) {
    const { body: progress } = await client.send({ path: `${path}/${id}`, cookie });
    const { state, done } = JSON.parse(progress.toString());
    if (state === 'failed' || (state === 'done' && done !== body.user_ids.length)) throw new Error(`${progress}`);
    if (state === 'done') return;
    await delay(POLL_MS);
  }
}
