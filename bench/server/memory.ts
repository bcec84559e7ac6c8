import { setTimeout as delay } from 'node:timers/promises';
import { type Call, load } from '../setup/load.ts';
import { setPasswords } from '../setup/passwords.ts';
import { signIn, startServer, vitals, watchServer } from '../setup/processes.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';

/** Texts that are searched for: one in all names, frequent and rare ones, and one that nobody has. */
export const TEXTS = ['anna mueller', 'martin', 'smit', 'an', 'no one'];
export const RESIDENT_MIB = 220;
/** One call in so many is a sign-in: ten clients that only hash passwords would leave no processor time to the others. */
const SIGN_IN_EVERY = 40;
/** Not one person alone, whose earlier sessions would end. */
const SIGNING_IN = 50;
const PASSWORD = 'a password to be checked';

/** A server of its own, from its start, while ten clients list, search and sign in; and afterwards. */
export async function memory(bench: Bench): Promise<Row[]> {
  const { database, team, options } = bench;
  const emails = await setPasswords(bench, { count: SIGNING_IN, password: PASSWORD });
  const server = await startServer(database);
  try {
    const cookie = await signIn(server, team);
    const seconds = options.isQuick ? 15 : 60;
    const { residentMiB: before } = await vitals(server);
    let figures = '';
    const { residentMiB } = await watchServer(server, async () => {
      const calls = createCalls({ teamId: team.id, emails, cookie });
      const { rate, failures } = await load(server.port, { clients: 10, seconds, calls });
      figures = `${short(rate)} calls/s, ${failures} failures; ${short(before)} MiB before`;
    });
    // V8 returns memory some seconds after the last call, if it does.
    await delay(20_000);
    const after = await vitals(server);
    const bound = { max: RESIDENT_MIB, unit: 'MiB' };
    return [
      boundRow('resident memory while ten clients list, search and sign in', residentMiB, { ...bound, limit: figures }),
      boundRow('the same, 20 seconds later', after.residentMiB, bound),
    ];
  } finally {
    await server.stop();
  }
}

function createCalls(of: { teamId: string; emails: readonly string[]; cookie: string }): (nth: number) => Call {
  const { teamId, emails, cookie } = of;
  const users = `/api/v4/admin/teams/${teamId}/users`;
  const entries = `/api/v4/teams/${teamId}/compdir`;
  return (nth) => {
    const round = Math.floor(nth / SIGN_IN_EVERY);
    if (nth % SIGN_IN_EVERY === 0) {
      const body = { login_id: emails[round % emails.length], password: PASSWORD };
      return { path: '/api/v4/users/login', method: 'POST', body };
    }
    const search = `?search=${encodeURIComponent(TEXTS[nth % TEXTS.length] ?? '')}`;
    const paths = [users, users + search, entries, entries + search];
    return { path: paths[nth % paths.length] ?? users, cookie };
  };
}
