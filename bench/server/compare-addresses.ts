import { type Call, openClient } from '../setup/load.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { median, timed } from '../setup/statistics.ts';

/** Calls about each kind of address. */
export const TIMINGS = 200;
/** A difference that cannot be measured over a network. */
const MAX_MS = 15;

/** A call of the API with a body. */
export const post = (path: string, body: object): Call => ({ path: `/api/v4${path}`, method: 'POST', body });

/** A call that names an email address, and the status of its answer. */
export interface Asking {
  name: string;
  status: number;
  about: (email: string) => Call;
}

/** Compares the times of one call about addresses with and without an account. */
export async function compareAddresses(
  { database, server }: Bench,
  { name, status, about }: Asking,
  addresses: { known: readonly string[]; unknown: readonly string[] },
): Promise<Row> {
  const client = openClient(server.port);
  const measureTime = async (email = ''): Promise<number> => {
    // The bench must not run into rate limits.
    await database.pool.query('delete from throttles; delete from invitation_counts');
    return timed(async () => {
      const reply = await client.send(about(email));
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.body}`);
    });
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let nth = 0; nth < TIMINGS; nth += 1) {
    // Alternating: the jobs that one request starts run during the next.
    const order = nth % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) times[kind].push(await measureTime(addresses[kind][nth]));
  }
  client.close();
  const [ofKnown, ofUnknown] = [median(times.known), median(times.unknown)];
  const limit = `${short(ofKnown)} ms known, ${short(ofUnknown)} ms unknown`;
  const row = `${name}: a known address against an unknown one`;
  return boundRow(row, Math.abs(ofKnown - ofUnknown), { max: MAX_MS, unit: 'ms', limit });
}
