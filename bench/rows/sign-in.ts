import type { Bench } from '../bench.ts';
import type { Team } from '../setup/database.ts';
import { type Call, load } from '../setup/load.ts';
import { signIn, startReference, startServer } from '../setup/server.ts';
import { type Figure, inTurns, percentile, ratioFigure } from '../setup/statistics.ts';
import { byName } from './lists.ts';

/** With eight clients, a password is always being verified while other sign-ins are written. */
const CLIENTS = 8;
const SECONDS = 2;
const PEOPLE = 50;

/**
 * Measures sign-ins against plain password verification. List calls of others during sign-ins are measured against those of a bare
 * server with the same clients, because both wait for a core.
 */
export async function signIns(bench: Bench): Promise<Figure[]> {
  const { database, small: team, rounds } = bench;
  const { emails, hash } = await sharePassword(bench, team);
  await using server = await startServer(database);
  const toSignIn = (nth: number): Call => ({
    path: '/api/v4/users/login',
    method: 'POST',
    body: { login_id: emails[nth % emails.length], password: team.owner.password },
  });
  const signingIn = async (port = server.port) =>
    (await load(port, { clients: CLIENTS, seconds: SECONDS, call: toSignIn })).rate;
  const verifying = async () => {
    const task = { kind: 'verify', hash, password: team.owner.password, seconds: SECONDS };
    await using bare = await startReference(task);
    return Number(bare.said);
  };
  await signingIn();
  const alone = await inTurns(rounds, () => signingIn(), verifying);
  const cookie = await signIn(server, team);
  const list = { path: `/api/v4/admin/teams/${team.id}/users`, cookie };
  const task = { kind: 'list', url: database.url, text: byName('asc'), values: [team.id], hash };
  await using bare = await startReference(task);
  const others = async (port: number, call: Call) => {
    const listing = load(port, { clients: 2, seconds: SECONDS, call: () => call });
    const [{ times }] = await Promise.all([listing, signingIn(port)]);
    return percentile(times, 95);
  };
  const toBare = () => others(Number(bare.said), { path: '/' });
  // The first calls are measured while V8 still compiles.
  await toBare();
  const beside = await inTurns(rounds, () => others(server.port, list), toBare);
  return [
    ratioFigure('sign-ins', alone, { is: 'bare argon2id', unit: 'a second', min: 0.6 }),
    ratioFigure('p95 of list calls during sign-ins', beside, {
      is: 'bare Fastify, pg and argon2id',
      unit: 'ms',
      max: 2,
    }),
  ];
}

/** Gives some members the owner's password, because the password of a generated user is unknown. */
export async function sharePassword(
  { database: { pool } }: Bench,
  { id, owner }: Team,
): Promise<{ emails: string[]; hash: string }> {
  const { rows: owners } = await pool.query('select password_hash from people where email = $1', [owner.email]);
  const hash: string = owners[0].password_hash;
  const { rows } = await pool.query(
    `update people set password_hash = $2 where id in (
       select person_id from memberships where team_id = $1 and not deactivated and email is null and roles = '{team_user}'
       order by person_id limit $3) returning email`,
    [id, hash, PEOPLE],
  );
  return { emails: rows.map(({ email }) => email), hash };
}
