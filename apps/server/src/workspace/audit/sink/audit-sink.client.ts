import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Env } from '#platform/env.ts';
import type { AuditLine } from '../audit-lines.store.ts';

export type NumberedLine = AuditLine & { number: number };

export interface AuditSink {
  /**
   * Resolves when the receiver has acknowledged all rows. Rejects if it refuses, can't be reached or takes longer than
   * `SEND_MS`; the same rows are then sent again, so it may receive a row more than once.
   */
  send(rows: readonly NumberedLine[]): Promise<void>;
}

/** Time that a receiver may take for one batch, in milliseconds. */
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

/** Sends rows as NDJSON in POST requests. Only a 2xx status acknowledges them; redirects are not followed. */
function createHttpsSink({
  url,
  authorization,
  timeoutMs,
}: {
  url: string;
  authorization: string | undefined;
  timeoutMs: number;
}): AuditSink {
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async send(rows) {
      const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver answered with status ${response.status}`);
    },
  };
}

interface SyslogOptions {
  host: string;
  port: number;
  isEncrypted: boolean;
  source: string;
  timeoutMs: number;
}

/** Facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
const MESSAGE_ID_MAX = 32;

/**
 * Sends rows as syslog messages (RFC 5424) with octet counting over TCP (RFC 6587) or TLS (RFC 5425). Syslog has no
 * acknowledgments, so each batch has a connection of its own: rows count as received when the receiver has read to the end of
 * the connection and closed it.
 */
function createSyslogSink(options: SyslogOptions): AuditSink {
  return {
    async send(rows) {
      const bytes = Buffer.concat(rows.map((row) => toFrame(row, options.source)));
      await deliver(open(options), bytes, options.timeoutMs);
    },
  };
}

function toFrame(row: NumberedLine, source: string): Buffer {
  const id = row.action.slice(0, MESSAGE_ID_MAX);
  const message = Buffer.from(`<${PRIORITY}>1 ${row.at} ${source} steward - ${id} - ${JSON.stringify(row)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

function open({ host, port, isEncrypted }: SyslogOptions): Socket {
  // If the receiver ends its side before ours, it did not read everything.
  return isEncrypted ? connectTls({ host, port, servername: host }) : connect({ host, port });
}

async function deliver(socket: Socket, bytes: Buffer, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error('the receiver did not answer in time')), timeoutMs);
  try {
    await new Promise<void>((resolve, reject) => {
      let isEnded = false;
      socket.on('end', () => {
        if (socket.writableFinished) isEnded = true;
      });
      socket.on('error', reject);
      socket.on('close', () => (isEnded ? resolve() : reject(new Error('the receiver closed the connection'))));
      socket.resume();
      socket.end(bytes);
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
