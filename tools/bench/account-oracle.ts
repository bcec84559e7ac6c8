import type { Bench } from './bench.ts';
import { type Call, openClient } from './load.ts';
import { boundRow, type Row, short } from './report.ts';
import { peopleWithPassword } from './sign-in.ts';
import { median, timed } from './statistics.ts';

const TIMINGS = 200;
/** What nobody can tell apart over a network (trust G7). */
const MAX_MS = 15;

const post = (path: string, body: object): Call => ({ path: `/api/v4${path}`, method: 'POST', body });

/** Calls that name an address, with the status of every answer. */
const CALLS: { name: string; status: number; about: (email: string) => Call }[] = [
  {
    name: 'sign-in with a wrong password',
    status: 401,
    about: (login_id) => post('/users/login', { login_id, password: 'a wrong password' }),
  },
  { name: 'asking for a reset', status: 200, about: (email) => post('/users/password/reset/send', { email }) },
  { name: 'sign-up', status: 200, about: (owner_email) => post('/signup', { team_name: 'Bench', owner_email }) },
];

/** Whether the time of an answer tells which addresses have an account. */
export async function accountOracle(bench: Bench): Promise<Row[]> {
  const known = await peopleWithPassword(bench, { count: TIMINGS, password: 'a password to be checked' });
  const unknown = known.map((_, nth) => `nobody-${Date.now()}-${nth}@steward.example`);
  const client = openClient(bench.server.port);
  const measureTime = async ({ status, about }: (typeof CALLS)[number], email = ''): Promise<number> => {
    // Limits are for strangers who ask too often, not for who measures them.
    await bench.place.pool.query('delete from throttles');
    return timed(async () => {
      const reply = await client.send(about(email));
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.body}`);
    });
  };
  const rows: Row[] = [];
  for (const call of CALLS) {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let nth = 0; nth < TIMINGS; nth += 1) {
      // In turn, and either first: the jobs that one request leaves behind run during the next.
      const order = nth % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of order) times[kind].push(await measureTime(call, (kind === 'known' ? known : unknown)[nth]));
    }
    const [ofKnown, ofUnknown] = [median(times.known), median(times.unknown)];
    const limit = `${short(ofKnown)} ms known, ${short(ofUnknown)} ms unknown`;
    const difference = Math.abs(ofKnown - ofUnknown);
    rows.push(
      boundRow(`${call.name}: a known address against an unknown one`, difference, { max: MAX_MS, unit: 'ms', limit }),
    );
  }
  client.close();
  return rows;
}
