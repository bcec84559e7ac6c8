import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import type { Bench } from './bench.ts';
import { type Load, load } from './load.ts';
import { signIn, startBare } from './processes.ts';
import { type Row, ratioRow } from './report.ts';
import { measureInTurns, percentile } from './statistics.ts';

/** So many that a password is always being checked while others are written down. */
const CLIENTS = 8;
const BARE_IN_FLIGHT = 4;
const PEOPLE = 50;
const PASSWORD = 'a password to be checked';

/** Sign-ins against bare password checks, and what they do to others. */
export async function signIns(bench: Bench): Promise<Row[]> {
  const { team, server, options } = bench;
  const seconds = options.seconds * 2;
  const emails = await peopleWithPassword(bench, { count: PEOPLE, password: PASSWORD });
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
    const bare = await startBare({ kind: 'verify', seconds, inFlight: BARE_IN_FLIGHT });
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
export async function peopleWithPassword(
  { place, team }: Bench,
  { count, password }: { count: number; password: string },
): Promise<string[]> {
  const { rows } = await place.pool.query(
    `update people set password_hash = $2 where id in (
       select p.id from memberships m join people p on p.id = m.person_id
       where m.team_id = $1 and p.type = 2 and not m.deactivated and m.roles = '{team_user}'
       order by p.id limit $3) returning email`,
    [team.id, await hashPassword(password), count],
  );
  return rows.map((row) => row.email);
}
