import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AuditSink, NumberedLine } from './audit-sink.ts';

interface SyslogOptions {
  host: string;
  port: number;
  isEncrypted: boolean;
  /** Host name of this server in each message. */
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
export function createSyslogSink(options: SyslogOptions): AuditSink {
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
  // An end of the receiver's side before ours means that it did not read everything.
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
