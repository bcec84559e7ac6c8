import type { Database } from '#platform/database/database.ts';
import { listChainedLines } from '../audit-lines.store.ts';
import type { AuditSink } from './audit-sink.ts';
import { countUnsent, endTurn, saveSent, takeTurn } from './sink.store.ts';

/** Rows sent at once. */
const BATCH = 500;

/**
 * Sends rows of the chain that weren't sent yet, in its order, and returns their number. One process sends at a time. The
 * position moves after the receiver has acknowledged, so after a crash or an error the same rows are sent again.
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
