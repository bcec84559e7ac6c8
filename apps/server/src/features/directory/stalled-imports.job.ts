import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { importAudit } from './imports.actions.ts';
import { findStalledUndos, interruptStaleImports } from './imports.store.ts';
import { undo } from './undo-import.job.ts';

/** Ends abandoned imports and resumes interrupted undos. */
const stalledImports = defineJob({
  name: 'directory.tidy_imports',
  retries: 2,
  retrySeconds: 60,
  schedule: '*/10 * * * *',
});

export function createStalledImportsWorker(deps: Deps) {
  return defineWorker(stalledImports, async () => {
    await inTransaction(deps.db, async (trx) => {
      for (const row of await interruptStaleImports(trx)) {
        const place = { teamId: row.team_id, importId: row.id };
        await addAuditEvent(trx, deps, {
          ...importAudit(place, { ...row, actorId: row.started_by }),
          origin: JOB_ORIGIN,
        });
      }
    });
    const stalled = await findStalledUndos(deps.db);
    await inTransaction(deps.db, (trx) => deps.jobs.sendMany(trx, undo, stalled));
  });
}
