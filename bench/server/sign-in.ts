import { type Load, load } from '../setup/load.ts';
import { setPasswords } from '../setup/passwords.ts';
import { signIn, startReference } from '../setup/processes.ts';
import { type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, percentile } from '../setup/statistics.ts';

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
    ratioRow('sign-in, against bare argon2id', { ...alone, unit: 'a second' }, { min: 0.85 }),
    ratioRow('p95 of list calls during sign-ins, against without', { ...beside, unit: 'ms' }, { max: 1.6 }),
  ];
}
