import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@steward/server/src/platform/database/database.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import {
  type AuditFilter,
  type AuditLine,
  listAuditLines,
  listChainedLines,
} from '@steward/server/src/workspace/audit/audit-lines.store.ts';
import { findServerHead } from '@steward/server/src/workspace/audit/chain.store.ts';
import { sealAuditRows } from '@steward/server/src/workspace/audit/seal-audit.actions.ts';

/** Rows read at a time. */
const BATCH = 1_000;

/** Which rows to print, and how. */
export interface AuditStream extends AuditFilter {
  /** Goes on with new rows until the signal is aborted. */
  follow: boolean;
  /** Pause between looking for new rows, in milliseconds. */
  pauseMs: number;
  /** Takes one line without its end; resolves when more can be written. */
  write: (line: string) => Promise<void>;
  signal: AbortSignal;
}

/** Prints rows of the audit log as NDJSON, oldest first, each once. Returns their number. */
export async function streamAuditLog(db: Database, secrets: Secrets, stream: AuditStream): Promise<number> {
  if (!stream.follow) return printStored(db, stream);
  const until = await seal(db, secrets);
  const printed = await printStored(db, stream, until);
  return printed + (await printNew(db, secrets, { ...stream, after: until }));
}

/** Adds waiting rows to the chain, as a server would if there is none. Returns where the chain ends. */
async function seal(db: Database, secrets: Secrets): Promise<number> {
  await sealAuditRows(db, secrets);
  return (await findServerHead(db))?.number ?? 0;
}

async function printStored(db: Database, stream: AuditStream, until?: number): Promise<number> {
  const { team, from, to, write, signal } = stream;
  const range = { team, from, to, limit: BATCH, ...(until === undefined ? {} : { until }) };
  let printed = 0;
  let after: Pick<AuditLine, 'at' | 'id'> | undefined;
  while (!signal.aborted) {
    const rows = await listAuditLines(db, { ...range, after });
    for (const row of rows) {
      if (signal.aborted) return printed;
      await write(JSON.stringify(row));
      printed += 1;
      after = row;
    }
    if (rows.length < BATCH) break;
  }
  return printed;
}

/**
 * In the order of the chain, which nothing is ever added to but at its end: the time of a row is when its transaction began,
 * so by time, one that commits late would appear before rows already printed.
 */
async function printNew(db: Database, secrets: Secrets, stream: AuditStream & { after: number }): Promise<number> {
  const { team, from, pauseMs, write, signal } = stream;
  let { after } = stream;
  let printed = 0;
  while (!signal.aborted) {
    await sealAuditRows(db, secrets);
    const rows = await listChainedLines(db, { team, from, after, limit: BATCH });
    for (const { number, ...line } of rows) {
      if (signal.aborted) return printed;
      await write(JSON.stringify(line));
      printed += 1;
      after = number;
    }
    if (rows.length < BATCH) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return printed;
}
