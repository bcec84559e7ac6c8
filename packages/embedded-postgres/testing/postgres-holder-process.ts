import { parseArgs } from 'node:util';
import { claimDataDir, startEmbeddedPostgres } from '../src/embedded-postgres.ts';
import { findRunningPostmaster } from '../src/processes.ts';

// Behaves like the server for tests that kill it: holds the PostgreSQL of a data directory until SIGTERM.
const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: '' },
    'db-user': { type: 'string' },
    unclaimed: { type: 'boolean', default: false },
  },
});
const dbUser = values['db-user'];
const postgres = await startEmbeddedPostgres({ dataDir: values['data-dir'], ...(dbUser !== undefined && { dbUser }) });
const claim = values.unclaimed ? undefined : await claimDataDir(postgres.connection);
const postmaster = findRunningPostmaster(`${values['data-dir']}/postgres`);
const alive = setInterval(() => undefined, 60_000);
process.once('SIGTERM', async () => {
  clearInterval(alive);
  await claim?.release();
  await postgres.stop();
});
console.log(JSON.stringify({ connection: postgres.connection, started: postgres.started, postmaster }));
