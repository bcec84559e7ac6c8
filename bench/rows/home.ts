import type { Bench } from '../bench.ts';
import { openClient } from '../setup/load.ts';
import { signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, median, timed } from '../setup/statistics.ts';

const CARDS = ['people', 'sign_in', 'storage', 'retention', 'integrations'];

/** Measures each card of Home as an admin sees it who opens Home again: a large count of what is stored is kept for an hour. */
export async function home({ database, small, rounds }: Bench): Promise<Figure[]> {
  await database.pool.query('vacuum (analyze) memberships, messages, people');
  await using server = await startServer(database);
  const cookie = await signIn(server, small);
  const client = openClient(server.port);
  const figures: Figure[] = [];
  for (const card of CARDS) {
    const ask = () => timed(() => client.json({ path: `/api/v4/admin/teams/${small.id}/summary/${card}`, cookie }));
    // The first call on each connection reads the catalogs.
    await ask();
    const times: number[] = [];
    for (let round = 0; round < rounds * 3; round += 1) times.push(await ask());
    figures.push(boundFigure(`card ${card}`, median(times), { max: 50, unit: 'ms' }));
  }
  client.close();
  return figures;
}
