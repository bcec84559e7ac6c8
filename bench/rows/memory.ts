import type { Bench } from '../bench.ts';
import { type Call, load } from '../setup/load.ts';
import { readVitals, signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure } from '../setup/statistics.ts';
import { sharePassword } from './sign-in.ts';

const TEXTS = ['anna mueller', 'martin', 'smit', 'an', 'no one'];
const CLIENTS = 10;
/** One call in 40 is a sign-in, because ten clients that only hash passwords would leave no processor time to the others. */
const SIGN_IN_EVERY = 40;
const REST_MIB = 180;
const LOADED_MIB = 320;

/** Measures resident memory after the start, and after ten clients have listed, searched and signed in. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const { database, large: team, isQuick } = bench;
  const { emails } = await sharePassword(bench, team);
  await using server = await startServer(database);
  const { residentMiB: rest } = await readVitals(server);
  const cookie = await signIn(server, team);
  const users = `/api/v4/admin/teams/${team.id}/users`;
  const entries = `/api/v4/teams/${team.id}/compdir`;
  const call = (nth: number): Call => {
    if (nth % SIGN_IN_EVERY === 0) {
      const body = { login_id: emails[(nth / SIGN_IN_EVERY) % emails.length], password: team.owner.password };
      return { path: '/api/v4/users/login', method: 'POST', body };
    }
    const search = `?search=${encodeURIComponent(TEXTS[nth % TEXTS.length] ?? '')}`;
    const paths = [users, users + search, entries, entries + search];
    return { path: paths[nth % paths.length] ?? users, cookie };
  };
  const seconds = isQuick ? 15 : 60;
  await load(server.port, { clients: CLIENTS, seconds, call });
  const { residentMiB } = await readVitals(server);
  const reference = { is: 'at rest', value: rest };
  return [
    boundFigure('at rest', rest, { max: REST_MIB, unit: 'MiB' }),
    boundFigure(`after ${seconds} s of ten clients`, residentMiB, { max: LOADED_MIB, unit: 'MiB', reference }),
  ];
}
