import { setTimeout as delay } from 'node:timers/promises';
import { type Call, openClient } from '../setup/load.ts';
import { setPasswords } from '../setup/passwords.ts';
import { type Server, startServer } from '../setup/processes.ts';
import { type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, median, timed } from '../setup/statistics.ts';

const PASSWORD = 'a password to be checked';
const PEOPLE = 50;
/** Connections of the flood, and how often each sends a wrong sign-in: 200 a second together. */
const CONNECTIONS = 100;
const EVERY_MS = 500;

const post = (login_id: string, password: string, network: string): Call => ({
  path: '/api/v4/users/login',
  method: 'POST',
  headers: { 'X-Forwarded-For': network },
  body: { login_id, password },
});

/** How long a sign-in takes while another network sends 200 wrong ones a second, against a quiet server. */
export async function signInFlood(bench: Bench): Promise<Row[]> {
  const emails = await setPasswords(bench, { count: PEOPLE, password: PASSWORD });
  const server = await startServer(bench.database, { env: { TRUST_PROXY: '1' } });
  try {
    const seconds = bench.options.seconds * 3;
    const quiet = () => measureSignIns(server, emails, seconds);
    const replies = { checked: 0, limited: 0 };
    const flooded = async () => {
      // Each round begins with a network that may still guess, whose guesses cost the most.
      await bench.database.pool.query('delete from throttles');
      const flood = startFlood(server, replies);
      try {
        return await quiet();
      } finally {
        await flood.stop();
      }
    };
    await quiet();
    const pair = await measureInTurns(bench.options.rounds, flooded, quiet);
    const rate = (replies.checked + replies.limited) / (seconds * bench.options.rounds);
    const row = `sign-in during ${short(rate)} wrong ones a second of another network (${replies.checked} checked, ${replies.limited} refused), against without`;
    return [ratioRow(row, { ...pair, unit: 'ms' }, { max: 4 })];
  } finally {
    await server.stop();
  }
}

/** Median time of a person's sign-ins, one after another. */
async function measureSignIns(server: Server, emails: readonly string[], seconds: number): Promise<number> {
  const client = openClient(server.port);
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const call = post(emails[times.length % PEOPLE] ?? '', PASSWORD, '198.51.100.7');
    times.push(
      await timed(async () => {
        const { status } = await client.send(call);
        if (status !== 200) throw new Error(`A sign-in was answered with ${status}.`);
      }),
    );
  }
  client.close();
  return median(times);
}

/** Sends wrong sign-ins for accounts that do and don't exist, from one network. */
function startFlood(server: Server, replies: { checked: number; limited: number }): { stop(): Promise<void> } {
  let isOver = false;
  const send = async (nth: number) => {
    const client = openClient(server.port);
    await delay((EVERY_MS / CONNECTIONS) * nth);
    for (let time = 0; !isOver; time += 1) {
      const next = delay(EVERY_MS);
      const { status } = await client.send(post(`guess-${nth}-${time}@steward.example`, 'a guess', '203.0.113.9'));
      if (status === 429) replies.limited += 1;
      else if (status === 401) replies.checked += 1;
      else throw new Error(`A wrong sign-in was answered with ${status}.`);
      await next;
    }
    client.close();
  };
  const sending = Promise.all(Array.from({ length: CONNECTIONS }, (_, nth) => send(nth)));
  return {
    async stop() {
      isOver = true;
      await sending;
    },
  };
}
