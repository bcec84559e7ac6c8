import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { type Call, type Load, load, openClient } from '../setup/load.ts';
import { signIn, startReference } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, median, percentile, timed } from '../setup/statistics.ts';

/** Enough that a password is always being verified while other sign-ins are written. */
const CLIENTS = 8;
const BARE_IN_FLIGHT = 4;
const PEOPLE = 50;
const PASSWORD = 'a password to be checked';

/** Sign-ins against plain password verification, and their effect on other calls. */
export async function signIns(bench: Bench): Promise<Row[]> {
  const { team, server, options } = bench;
  const seconds = options.seconds * 2;
  const emails = await setPasswords(bench, { count: PEOPLE, password: PASSWORD });
  const signingIn = async (): Promise<Load> => {
    const calls = (nth: number) => {
      const body = { login_id: emails[nth % PEOPLE] ?? '', password: PASSWORD };
      return { path: '/api/v4/users/login', method: 'POST' as const, body };
    };
    const result = await load(server.port, { clients: CLIENTS, seconds, calls });
    if (result.failures > 0) throw new Error(`${result.failures} sign-ins failed.`);
    return result;
  };
  const verifying = async () => {
    const bare = await startReference({ kind: 'verify', seconds, inFlight: BARE_IN_FLIGHT });
    await bare.stop();
    return Number(bare.said);
  };
  const alone = await measureInTurns(options.rounds, async () => (await signingIn()).rate, verifying);
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const others = async () => {
    const { times } = await load(server.port, { clients: 2, seconds, calls: () => ({ path, cookie }) });
    return percentile(times, 95);
  };
  const beside = await measureInTurns(
    options.rounds,
    async () => (await Promise.all([others(), signingIn()]))[0],
    others,
  );
  return [
    ratioRow('sign-in, against bare argon2id', { ...alone, unit: 'a second' }, { min: 0.9 }),
    ratioRow('p95 of list calls during sign-ins, against without', { ...beside, unit: 'ms' }, { max: 2 }),
  ];
}

/** Gives some people of the team one password. */
async function setPasswords(
  { database, team }: Bench,
  { count, password }: { count: number; password: string },
): Promise<string[]> {
  const { rows } = await database.pool.query(
    `update people set password_hash = $2 where id in (
       select p.id from memberships m join people p on p.id = m.person_id
       where m.team_id = $1 and not m.deactivated and m.roles = '{team_user}'
       order by p.id limit $3) returning email`,
    [team.id, await hashPassword(password), count],
  );
  return rows.map((row) => row.email);
}

const TIMINGS = 200;
/** A difference that cannot be measured over a network. */
const MAX_MS = 15;

const post = (path: string, body: object): Call => ({ path: `/api/v4${path}`, method: 'POST', body });

/** Calls that name an email address, and the status of each answer. */
const CALLS: { name: string; status: number; about: (email: string) => Call }[] = [
  {
    name: 'sign-in with a wrong password',
    status: 401,
    about: (login_id) => post('/users/login', { login_id, password: 'a wrong password' }),
  },
  { name: 'asking for a reset', status: 200, about: (email) => post('/users/password/reset/send', { email }) },
  { name: 'sign-up', status: 200, about: (owner_email) => post('/signup', { team_name: 'Bench', owner_email }) },
];

/** Whether response times reveal which addresses have an account. */
export async function accountOracle(bench: Bench): Promise<Row[]> {
  const known = await setPasswords(bench, { count: TIMINGS, password: 'a password to be checked' });
  const unknown = known.map((_, nth) => `unknown-${Date.now()}-${nth}@steward.example`);
  const client = openClient(bench.server.port);
  const measureTime = async ({ status, about }: (typeof CALLS)[number], email = ''): Promise<number> => {
    // The bench must not run into rate limits.
    await bench.database.pool.query('delete from throttles');
    return timed(async () => {
      const reply = await client.send(about(email));
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.body}`);
    });
  };
  const rows: Row[] = [];
  for (const call of CALLS) {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let nth = 0; nth < TIMINGS; nth += 1) {
      // Alternating: the jobs that one request starts run during the next.
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
