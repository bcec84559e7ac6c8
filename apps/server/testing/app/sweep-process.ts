import { startTeamRuns } from '#features/retention/runs/runs.actions.ts';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';
import { createSecrets } from '#platform/security/secrets.ts';

// Runs retention of one team in its own process, for a test that kills it. Prints a line at the start.
const env = parseEnv();
const pool = createPool({ connectionString: env.DATABASE_URL ?? '' }, { max: 2, name: 'steward sweep' });
const secrets = createSecrets('5e'.repeat(32));
const deps = {
  db: createDatabase(pool),
  secrets,
  blobs: createBlobs(env.FILES_URL, ''),
  log: createLog('silent'),
  // This process does the work itself, so it queues no job.
  jobs: { send: async () => undefined, sendUrgent: async () => undefined, sendMany: async () => undefined },
};
console.log('begins');
const runs = await startTeamRuns(deps, { teamId: process.argv[2] ?? '', origin: 'operator', startedBy: null });
console.log(JSON.stringify(runs));
await pool.end();
