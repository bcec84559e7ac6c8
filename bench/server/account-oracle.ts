import { setPasswords } from '../setup/passwords.ts';
import { signIn } from '../setup/processes.ts';
import type { Row } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { type Asking, compareAddresses, post, TIMINGS } from './compare-addresses.ts';
import { loginOracle } from './login-oracle.ts';

/** Calls that name an email address. */
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
  const rows: Row[] = [];
  for (const call of [...CALLS, ...(await askAsOwner(bench))])
    rows.push(await compareAddresses(bench, call, { known, unknown }));
  return [...rows, ...(await loginOracle(bench))];
}
