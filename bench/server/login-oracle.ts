import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import type { Row } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { type Asking, compareAddresses, post, TIMINGS } from './compare-addresses.ts';

const WITH_SSO = 'sso-oracle.example';
const WITHOUT_SSO = 'plain-oracle.example';

const askNext = (domain: string): Asking => ({
  name: `the next step of a sign-in, in a domain ${domain === WITH_SSO ? 'with' : 'without'} single sign-on`,
  status: 200,
  about: (login_id) => post('/users/login/options', { login_id }),
});
const guess = (where: string): Asking => ({
  name: `sign-in with a wrong password ${where}`,
  status: 401,
  about: (login_id) => post('/users/login', { login_id, password: 'a wrong password', token: '123456' }),
});

const toAddresses = (kind: 'known' | 'unknown', domain: string) =>
  Array.from({ length: TIMINGS }, (_, nth) => `${kind}-${nth}@${domain}`);

/** Members with a second factor, in two domains; the team requires single sign-on, and has proved one of them. */
async function addPeople({ database, strangers }: Bench): Promise<void> {
  const team = await strangers();
  await removePeople(database);
  const emails = [WITH_SSO, WITHOUT_SSO].flatMap((domain) => toAddresses('known', domain));
  const hash = await hashPassword('a password to be checked');
  await database.pool.query(
    `with p as (insert into people (id, email, password_hash, create_at, update_at)
        select left(md5(email), 26), email, $2, 1, 1 from unnest($1::text[]) email returning id, email),
      f as (insert into totp_factors (person_id, secret, confirmed_at) select id, 'unreadable', now() from p)
      insert into memberships (team_id, person_id, roles, name_key, search, create_at)
      select $3, id, array['team_user'], email, email, 1 from p`,
    [emails, hash, team.id],
  );
  const connection = 'c'.repeat(26);
  await database.pool.query(
    `insert into sso_connections (team_id, id, name, issuer, client_id, enabled, required)
      values ($1, $2, 'IdP', 'https://id.steward.example', 'steward', true, true)`,
    [team.id, connection],
  );
  await database.pool.query(
    `insert into sso_domains (team_id, id, domain, token, verified_at) values ($1, $2, $3, 'x', now())`,
    [team.id, connection, WITH_SSO],
  );
  await database.pool.query(
    `insert into team_security (team_id, required_connection_id) values ($1, $2)
      on conflict (team_id) do update set required_connection_id = $2`,
    [team.id, connection],
  );
}

/** Leaves the database as it was, for the other rows. */
async function removePeople({ pool }: Bench['database']): Promise<void> {
  const emails = [WITH_SSO, WITHOUT_SSO].flatMap((domain) => toAddresses('known', domain));
  await pool.query(`delete from memberships where person_id in (select id from people where email = any($1::text[]))`, [
    emails,
  ]);
  await pool.query('delete from people where email = any($1::text[])', [emails]);
  await pool.query('update team_security set required_connection_id = null where required_connection_id = $1', [
    'c'.repeat(26),
  ]);
  await pool.query('delete from sso_domains where domain = $1', [WITH_SSO]);
  await pool.query(`delete from sso_connections where id = $1`, ['c'.repeat(26)]);
}

/** Whether the sign-in page's question, or a guess, reveals an account where single sign-on or a second factor is set up. */
export async function loginOracle(bench: Bench): Promise<Row[]> {
  await addPeople(bench);
  const rows: Row[] = [];
  for (const domain of [WITH_SSO, WITHOUT_SSO]) {
    const addresses = { known: toAddresses('known', domain), unknown: toAddresses('unknown', domain) };
    const where = domain === WITH_SSO ? 'where single sign-on is required' : 'with a second factor';
    for (const asking of [askNext(domain), guess(where)]) rows.push(await compareAddresses(bench, asking, addresses));
  }
  await removePeople(bench.database);
  return rows;
}
