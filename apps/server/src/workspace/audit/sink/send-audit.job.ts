import { z } from 'zod';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { createAuditSink } from './audit-sink.ts';
import { sendAuditRows } from './send-audit.actions.ts';

/** Longest pause after failures, in milliseconds; it doubles from two seconds. */
const PAUSE_MAX_MS = 60_000;

/** Sends new rows of the audit log to AUDIT_SINK, about a second after they are in the chain. */
const sendAudit = defineJob({
  name: 'workspace.send_audit',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  everySeconds: 1,
});

/** Its worker. While the receiver is away, rows wait in the database, and nothing else is affected. */
export function createSendAuditWorker({ db, env, log }: Pick<Deps, 'db' | 'env' | 'log'>) {
  const sink = createAuditSink(env);
  const holder = newId();
  let failures = 0;
  let pausedUntil = 0;
  return defineWorker(sendAudit, async () => {
    if (sink === undefined || performance.now() < pausedUntil) return;
    try {
      await sendAuditRows(db, { sink, holder });
      if (failures > 0) log.info({ failures }, 'AUDIT_SINK accepts rows of the audit log again');
      failures = 0;
    } catch (error) {
      failures += 1;
      pausedUntil = performance.now() + Math.min(PAUSE_MAX_MS, 1_000 * 2 ** failures);
      log.warn({ err: error, failures }, 'rows of the audit log were not sent to AUDIT_SINK; they will be sent again');
    }
  });
}
