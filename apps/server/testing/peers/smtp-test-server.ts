import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { findMessageFaults, isEhloName } from './strict-message.ts';

/**
 * A real SMTP server with configurable behavior that records accepted messages. It refuses what strict servers refuse or score
 * as spam: invalid names in the greeting and invalid messages.
 */
export interface SmtpTestServer extends AsyncDisposable {
  url: string;
  /** Accepted messages with their envelopes, in order of arrival. */
  accepted: { ehlo: string; from: string; to: string[]; source: string }[];
  /** Sources of all messages received completely, accepted or not. */
  sources: string[];
  /** Waits until this many messages have been accepted. */
  taken(count: number): Promise<void>;
  /** Number of messages started, accepted or not. */
  attempts(): number;
}

/**
 * accept; refuse the recipient or the message permanently; refuse temporarily (later); close the connection (drop) or never
 * respond (stall) after DATA; accept without responding (keep silently).
 */
export type DeliveryBehavior = 'accept' | 'refuse' | 'refuse message' | 'later' | 'drop' | 'stall' | 'keep silently';

/** Starts a server, on a free port unless one is given. `behave` chooses the behavior per message, by its recipient. */
export async function startSmtpServer(
  behave: (to: string) => DeliveryBehavior = () => 'accept',
  port = 0,
): Promise<SmtpTestServer> {
  const accepted: SmtpTestServer['accepted'] = [];
  const sources: string[] = [];
  const arrived = new EventEmitter();
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom(_address, { hostNameAppearsAs }, done) {
      if (isEhloName(hostNameAppearsAs || '')) return done();
      done(Object.assign(new Error(`invalid name in EHLO: ${hostNameAppearsAs}`), { responseCode: 550 }));
    },
    onRcptTo({ address }, _session, done) {
      attempts += 1;
      const now = behave(address);
      if (now === 'refuse') return done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      if (now === 'later') return done(Object.assign(new Error('try later'), { responseCode: 451 }));
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks);
        const source = message.toString('utf8');
        sources.push(source);
        const { mailFrom, rcptTo, bodyType, smtpUtf8 } = session.envelope;
        const faults = findMessageFaults(message, { eightBit: bodyType === '8bitmime', smtpUtf8: smtpUtf8 === true });
        if (faults.length > 0)
          return done(Object.assign(new Error(`invalid message: ${faults.join('; ')}`), { responseCode: 550 }));
        const now = behave(rcptTo[0]?.address ?? '');
        if (now === 'stall') return;
        // Close after DATA, without a response.
        if (now === 'drop') {
          for (const connection of server.connections) connection.close();
          return;
        }
        if (now === 'refuse message') return done(Object.assign(new Error('looks like spam'), { responseCode: 554 }));
        accepted.push({
          ehlo: session.hostNameAppearsAs || '',
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source,
        });
        arrived.emit('mail');
        if (now !== 'keep silently') done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    accepted,
    sources,
    async taken(count) {
      while (accepted.length < count) await once(arrived, 'mail');
    },
    attempts: () => attempts,
    [Symbol.asyncDispose]: () => {
      for (const connection of server.connections) connection.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
