import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateEntries } from '@steward/server/src/app/demo/sample-data/generate-entries.ts';
import { loadNames } from '@steward/server/src/app/demo/sample-data/name-pools.ts';
import { from, to } from 'pg-copy-streams';
import type { Bench } from '../bench.ts';
import { withClient } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import { readVitals, type Server, signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, inTurns, ratioFigure, timed } from '../setup/statistics.ts';

const ROWS = { whole: 100_000, quick: 20_000 };
/** The portal sends the same number of rows per call. */
const PER_CALL = 2_000;
const STALL_MS = 50;
const COLUMNS = 'team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id';

/** Measures an import of new rows in the same way as the portal, against COPY of the same rows into the same table. */
export async function upload({ database, small: team, isQuick, rounds }: Bench): Promise<Figure[]> {
  await using server = await startServer(database);
  const cookie = await signIn(server, team);
  const count = isQuick ? ROWS.quick : ROWS.whole;
  const recipe = { pools: await loadNames(), key: team.id, seed: 2 };
  const rows = generateEntries(recipe, 0, count).map((entry) => ({ ...entry, id: '' }));
  // Each upload starts with the same table.
  const remove = async () => {
    await database.pool.query("delete from directory_entries where team_id = $1 and import_id <> ''", [team.id]);
    await database.pool.query('delete from directory_imports where team_id = $1', [team.id]);
    await database.pool.query('vacuum directory_entries, directory_imports, idempotency_keys');
  };
  const send = () => uploadRows(server, { path: `/api/v4/teams/${team.id}/compdir`, cookie, rows });
  await remove();
  // The heap first grows to its working size.
  await send();
  const copied: Buffer[] = [];
  await withClient(database, async (client) => {
    const query = `select ${COLUMNS} from directory_entries where team_id = '${team.id}' and import_id <> '' order by id`;
    // The bytes are only valid until the next ones arrive.
    for await (const chunk of client.query(to(`copy (${query}) to stdout`))) copied.push(Buffer.from(chunk));
  });
  let stall = 0;
  const ours = async () => {
    await remove();
    await readVitals(server);
    const took = await timed(send);
    stall = Math.max(stall, (await readVitals(server)).stallMs);
    return took;
  };
  const copy = async () => {
    await remove();
    return timed(() =>
      withClient(database, (client) =>
        pipeline(Readable.from(copied), client.query(from(`copy directory_entries (${COLUMNS}) from stdin`))),
      ),
    );
  };
  const pair = await inTurns(Math.min(rounds, 5), ours, copy);
  await remove();
  return [
    ratioFigure(`${count.toLocaleString('en-US')} rows`, pair, { is: 'COPY into the same table', unit: 'ms', max: 2 }),
    boundFigure('longest stall of the event loop', stall, { max: STALL_MS, unit: 'ms' }),
  ];
}

async function uploadRows(
  { port }: Server,
  { path, cookie, rows }: { path: string; cookie: string; rows: readonly object[] },
): Promise<void> {
  const client = openClient(port);
  const post = (to: string, body: unknown, key: string) =>
    client.json({ path: path + to, method: 'POST', cookie, headers: { 'Idempotency-Key': key }, body });
  const { id } = await post('/imports', { file_name: 'bench.csv' }, `bench-${performance.now()}`);
  let created = 0;
  for (let first = 0; first < rows.length; first += PER_CALL)
    created += (await post(`/multi?import_id=${id}`, rows.slice(first, first + PER_CALL), `${id}-${first}`)).created;
  await post(`/imports/${id}/finish`, { cancelled: false, unreadable: 0 }, `${id}-finish`);
  client.close();
  if (created !== rows.length) throw new Error(`The upload added ${created} of ${rows.length} rows.`);
}
