import type { Bench } from './bench.ts';
import { inTurn } from './figures.ts';
import { load } from './load.ts';
import type { Place, Team } from './place.ts';
import { signIn, startServer } from './processes.ts';
import { type Row, ratioRow } from './report.ts';

/** The same list and search on the embedded server and on the one that --database names. */
export async function embeddedBeside(bench: Bench): Promise<Row[]> {
  const { embedded, place, options } = bench;
  if (!embedded || embedded === place) return [];
  const own = await sideOf(bench, embedded, await bench.teamOn(embedded));
  const other = await sideOf(bench, place, bench.team);
  try {
    const rows: Row[] = [];
    for (const [name, query] of [
      ['list', ''],
      ['search', '?search=martin'],
    ] as const) {
      const rateOf = (side: Side) => async () => (await side.rate(query, options.seconds)).rate;
      const pair = await inTurn(options.rounds, rateOf(own), rateOf(other));
      const figures = { ...pair, unit: 'requests/s' };
      rows.push(ratioRow(`embedded, ${name}, against PostgreSQL`, figures, { min: 0.9 }));
    }
    return rows;
  } finally {
    await own.stop();
    await other.stop();
  }
}

interface Side {
  rate(query: string, seconds: number): ReturnType<typeof load>;
  stop(): Promise<void>;
}

async function sideOf(bench: Bench, place: Place, team: Team): Promise<Side> {
  const server = place === bench.place ? bench.server : await startServer(place);
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  return {
    rate: (query, seconds) =>
      load(server.port, { clients: 10, seconds, calls: () => ({ path: path + query, cookie }) }),
    stop: async () => (server === bench.server ? undefined : server.stop()),
  };
}
