import { createExpireArchivesWorker } from '#features/retention/recovery/expire-archives.job.ts';
import { createRestoreWorker } from '#features/retention/recovery/restore.job.ts';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { createDatabase, createPool } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';
import { createSecrets } from '#platform/security/secrets.ts';

// Runs a restore or destroys expired archives in its own process, for a test that kills it. Prints a line at the start.
const [, , what, teamId = '', runId = ''] = process.argv;
const env = parseEnv();
const pool = createPool({ connectionString: env.DATABASE_URL ?? '' }, { max: 2, name: 'steward recovery' });
const secrets = createSecrets('5e'.repeat(32));
// The dependencies of these two workers.
const deps = {
  ...{ db: createDatabase(pool), secrets, env, log: createLog('silent') },
  blobs: createBlobs(env.FILES_URL, ''),
} as unknown as Deps;
const attempt = { isLast: false } as never;
console.log('begins');
if (what === 'restore') await createRestoreWorker(deps).handle({ team_id: teamId, run_id: runId }, attempt);
else await createExpireArchivesWorker(deps).handle({}, attempt);
await pool.end();
