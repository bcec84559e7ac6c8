import type { Bench } from './bench.ts';
import type { Place, Team } from './bench-database.ts';
import { load } from './load.ts';
import { signIn, startServer } from './processes.ts';
import { type Row, ratioRow } from './report.ts';
import { measureInTurns, timed } from './statistics.ts';
import { newRows, removeUploaded, upload } from './upload.ts';

const UPLOADED = { rows: 50_000, perCall: 2_000 };

/** The same list, search and upload on the embedded server and on the one that --database names. */
export async function compareEmbedded(bench: Bench): Promise<Row[]> {
  const { embedded, place, options } = bench;
  if (!embedded || embedded === place) return [];
  const own = await createSide(bench, embedded, await bench.teamOn(embedded));
  const other = await createSide(bench, place, bench.team);
  try {
    const rows: Row[] = [];
    for (const [name, query] of [
      ['list', ''],
      ['search', '?search=martin'],
    ] as const) {
      const measureRate = (side: Side) => async () => (await side.rate(query, options.seconds)).rate;
      const pair = await measureInTurns(options.rounds, measureRate(own), measureRate(other));
      const figures = { ...pair, unit: 'requests/s' };
      rows.push(ratioRow(`embedded, ${name}, against PostgreSQL`, figures, { min: 0.9 }));
    }
    const pair = await measureInTurns(options.isQuick ? 3 : 5, own.upload, other.upload);
    rows.push(ratioRow('embedded, directory upload, against PostgreSQL', { ...pair, unit: 'rows/s' }, { min: 0.9 }));
    return rows;
  } finally {
    await own.stop();
    await other.stop();
  }
}

interface Side {
  rate(query: string, seconds: number): ReturnType<typeof load>;
  upload(): Promise<number>;
  stop(): Promise<void>;
}

async function createSide(bench: Bench, place: Place, team: Team): Promise<Side> {
  const server = place === bench.place ? bench.server : await startServer(place);
  const cookie = await signIn(server, team);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const rows = await newRows(team, UPLOADED.rows);
  return {
    rate: (query, seconds) =>
      load(server.port, { clients: 10, seconds, calls: () => ({ path: path + query, cookie }) }),
    upload: async () => {
      const took = await timed(() => upload({ server, team, cookie }, { rows, perCall: UPLOADED.perCall }));
      await removeUploaded(place, team);
      return (rows.length / took) * 1000;
    },
    stop: async () => (server === bench.server ? undefined : server.stop()),
  };
}
