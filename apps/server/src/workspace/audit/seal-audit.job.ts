import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { findServerHead } from './chain.store.ts';
import { sealAuditRows } from './seal-audit.actions.ts';

const WARN_EVERY_MS = 300_000;

/** Adds rows of the audit log to the chain, about a second after they are committed. */
const sealAudit = defineJob({
  name: 'workspace.seal_audit',
  retries: 0,
  retrySeconds: 1,
  everySeconds: 1,
});

/** Before the first row the worker counts the rows from before the chain, which may take longer than a call may. */
export function createSealAuditWorker({ db, slowQueryPool, secrets, log }: Deps) {
  let hasBegun = false;
  let quietUntil = 0;
  return defineWorker(sealAudit, async () => {
    hasBegun ||= (await findServerHead(db)) !== undefined;
    const { refused, unknown } = await sealAuditRows(hasBegun ? db : slowQueryPool, secrets);
    if (refused > 0) log.error({ rows: refused }, 'rows of the audit log have no valid signature: see audit --verify');
    if (unknown > 0 && performance.now() > quietUntil) {
      log.warn({ rows: unknown }, 'rows of the audit log wait for a process with the SECRET_KEY that signed them');
      quietUntil = performance.now() + WARN_EVERY_MS;
    }
  });
}
