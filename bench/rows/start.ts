import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../bench.ts';
import { startServer } from '../setup/server.ts';
import { boundFigure, type Figure, median, timed } from '../setup/statistics.ts';

const TIMES = 5;
const MAX_MS = 2_500;

/** Measures the time from the start of the process to /readyz, with a running PostgreSQL and with the embedded one, as in `npm start`. */
export async function start({ database }: Bench): Promise<Figure[]> {
  const taken = { running: [] as number[], embedded: [] as number[], node: [] as number[], postgres: [] as number[] };
  for (let time = 0; time < TIMES; time += 1) {
    taken.node.push(await timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit')));
    {
      await using server = await startServer(database);
      taken.running.push(server.readyAfter);
    }
    await database.stop();
    {
      await using server = await startServer(database, { embedded: true });
      taken.embedded.push(server.readyAfter);
    }
    taken.postgres.push(await timed(database.start));
  }
  const node = median(taken.node);
  return [
    boundFigure('PostgreSQL running', median(taken.running), {
      max: MAX_MS,
      unit: 'ms',
      reference: { is: 'node -e 0', value: node },
    }),
    boundFigure('embedded PostgreSQL', median(taken.embedded), {
      max: MAX_MS,
      unit: 'ms',
      reference: { is: 'node -e 0 and PostgreSQL', value: node + median(taken.postgres) },
    }),
  ];
}
