import { type Call, openClient } from '../setup/load.ts';
import { setPasswords } from '../setup/passwords.ts';
import { signIn } from '../setup/processes.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { median, timed } from '../setup/statistics.ts';

const TIMINGS = 200;
/** A difference that cannot be measured over a network. */
const MAX_MS = 15;

const post = (path: string, body: object): Call => ({ path: `/api/v4${path}`, method: 'POST', body });

/** Calls that name an email address, and the status of each answer. */
interface Asking {
  name: string;
  status: number;
  about: (email: string) => Call;
}

const CALLS: readonly Asking[] = [
  {
    name: 'sign-in with a wrong password',
    status: 401,
    about: (login_id) => post('/users/login', { login_id, password: 'a wrong password' }),
  },
  { name: 'asking for a reset', status: 200, about: (email) => post('/users/password/reset/send', { email }) },
  { name: 'sign-up', status: 200, about: (owner_email) => post('/signup', { team_name: 'Bench', owner_email }) },
];

/** What an owner can ask about people of other teams: invites an address, then looks at the row, and asks for a reset. */
async function askAsOwner({ server, strangers, database }: Bench): Promise<Asking[]> {
  const team = await strangers();
  const cookie = await signIn(server, team);
  // Not a new team, which may invite few people.
  await database.pool.query('update teams set create_at = 1 where id = $1', [team.id]);
  const path = `/admin/teams/${team.id}/users`;
  return [
    {
      name: 'adding to a team',
      status: 200,
      about: (email) => ({ ...post(path, { email, account_type: 2 }), cookie }),
    },
    {
      name: 'the row of an invited address',
      status: 200,
      about: (email) => ({ path: `/api/v4${path}?pending=1&search=${encodeURIComponent(email)}`, cookie }),
    },
    {
      name: 'an owner asking for a reset',
      status: 200,
      about: (email) => ({ ...post('/users/password/reset/send', { email }), cookie }),
    },
  ];
}

/** Whether response times reveal which addresses have an account. */
export async function accountOracle(bench: Bench): Promise<Row[]> {
  const known = await setPasswords(bench, { count: TIMINGS, password: 'a password to be checked' });
  const unknown = known.map((_, nth) => `unknown-${Date.now()}-${nth}@steward.example`);
  const client = openClient(bench.server.port);
  const measureTime = async ({ status, about }: Asking, email = ''): Promise<number> => {
    // The bench must not run into rate limits.
    await bench.database.pool.query('delete from throttles; delete from invitation_counts');
    return timed(async () => {
      const reply = await client.send(about(email));
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.body}`);
    });
  };
  const rows: Row[] = [];
  for (const call of [...CALLS, ...(await askAsOwner(bench))]) {
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
