import { createExpireArchivesWorker } from '#features/retention/recovery/expire-archives.job.ts';
import { createRestoreWorker } from '#features/retention/recovery/restore.job.ts';
import { startTeamRuns } from '#features/retention/runs/runs.actions.ts';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { createDatabase, createPool } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';
import { createSecrets } from '#platform/security/secrets.ts';

// Runs the rules of a team, restores a run or destroys expired archives in its own process, for a test that kills it. Prints a
// line at the start.
const [, , what, teamId = '', runId = ''] = process.argv;
const env = parseEnv();
const pool = createPool({ connectionString: env.DATABASE_URL ?? '' }, { max: 2, name: 'steward retention' });
// The dependencies of these three. The process does the work itself, so it queues no job.
const deps = {
  db: createDatabase(pool),
  secrets: createSecrets('5e'.repeat(32)),
  env,
  log: createLog('silent'),
  blobs: createBlobs(env.FILES_URL, ''),
  jobs: { send: async () => undefined, sendUrgent: async () => undefined, sendMany: async () => undefined },
} as unknown as Deps;
const attempt = { isLast: false } as never;
console.log('begins');
if (what === 'run') await startTeamRuns(deps, { teamId, origin: 'operator', startedBy: null });
else if (what === 'restore') await createRestoreWorker(deps).handle({ team_id: teamId, run_id: runId }, attempt);
else await createExpireArchivesWorker(deps).handle({}, attempt);
await pool.end();
