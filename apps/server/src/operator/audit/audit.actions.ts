import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { type AuditLine, type AuditRange, listAuditLines } from './audit-stream.store.ts';

/** Rows read at a time. */
const BATCH = 1_000;

/** Which rows to print, and how. */
export interface AuditStream extends Pick<AuditRange, 'team' | 'from' | 'to'> {
  /** Goes on with new rows until the signal is aborted. */
  follow: boolean;
  /** Pause between looking for new rows, in milliseconds. */
  pauseMs: number;
  /** Takes one line without its end; resolves when more can be written. */
  write: (line: string) => Promise<void>;
  signal: AbortSignal;
}

/** Prints rows of the audit log as NDJSON, oldest first, each once. Returns their number. */
export async function streamAuditLog(db: Database, stream: AuditStream): Promise<number> {
  const { team, from, to, follow, pauseMs, write, signal } = stream;
  let printed = 0;
  let after: Pick<AuditLine, 'at' | 'id'> | undefined;
  while (!signal.aborted) {
    const rows = await listAuditLines(db, { team, from, to, after, isSettled: follow, limit: BATCH });
    for (const row of rows) {
      if (signal.aborted) return printed;
      await write(JSON.stringify(row));
      printed += 1;
      after = row;
    }
    if (rows.length === BATCH) continue;
    if (!follow) break;
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return printed;
}
