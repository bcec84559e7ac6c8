import type { Env } from '#platform/env.ts';
import type { AuditLine } from '../audit-lines.store.ts';
import { createHttpsSink } from './https-sink.client.ts';
import { createSyslogSink } from './syslog-sink.client.ts';

/** A row of the audit log with its number in the chain over all teams. */
export type NumberedLine = AuditLine & { number: number };

/** What receives the audit log outside of this server. */
export interface AuditSink {
  /**
   * Resolves when the receiver has acknowledged all rows. Rejects if it refuses, can't be reached or takes longer than
   * `SEND_MS`; the same rows are then sent again, so it may receive a row more than once.
   */
  send(rows: readonly NumberedLine[]): Promise<void>;
}

/** How long a receiver may take for one batch, in milliseconds. */
const SEND_MS = 10_000;

/** The receiver that AUDIT_SINK names; undefined without one. */
export function createAuditSink(env: Env, timeoutMs = SEND_MS): AuditSink | undefined {
  const { AUDIT_SINK: setting, AUDIT_SINK_TOKEN: token, publicUrl } = env;
  if (setting === undefined) return undefined;
  if (setting.kind === 'syslog')
    return createSyslogSink({ ...setting, source: new URL(publicUrl).hostname, timeoutMs });
  const authorization = token === undefined ? setting.authorization : `Bearer ${token}`;
  return createHttpsSink({ url: setting.url, authorization, timeoutMs });
}
