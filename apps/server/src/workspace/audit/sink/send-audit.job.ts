import type { Database } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listChainedLines } from '../audit-lines.store.ts';
import { type AuditSink, createAuditSink } from './audit-sink.client.ts';
import { countUnsent, endTurn, saveSent, takeTurn } from './sink.store.ts';

/** Longest pause after failures, in milliseconds; it doubles from two seconds. */
const PAUSE_MAX_MS = 60_000;

/** Sends new rows of the audit log to AUDIT_SINK, about a second after they are in the chain. */
const sendAudit = defineJob({
  name: 'workspace.send_audit',
  retries: 0,
  retrySeconds: 1,
  everySeconds: 1,
});

/** While the receiver can't be reached, rows wait in the database, and nothing else is affected. */
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

const BATCH = 500;

/**
 * Sends rows of the chain that weren't sent yet and returns their number. One process sends at a time. The position
 * moves after the receiver has acknowledged, so after a crash or an error the same rows are sent again.
 */
export async function sendAuditRows(
  db: Database,
  { sink, holder }: { sink: AuditSink; holder: string },
): Promise<number> {
  if ((await countUnsent(db)) === 0) return 0;
  let sent = 0;
  try {
    for (;;) {
      const from = await takeTurn(db, holder);
      const rows = from === undefined ? [] : await listChainedLines(db, { after: from, limit: BATCH });
      const last = rows.at(-1);
      if (from === undefined || last === undefined) return sent;
      await sink.send(rows);
      if (!(await saveSent(db, { holder, from, to: last.number }))) return sent;
      sent += rows.length;
    }
  } finally {
    await endTurn(db, holder);
  }
}
