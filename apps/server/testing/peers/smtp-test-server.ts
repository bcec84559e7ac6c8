import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { findMessageFaults, isEhloName } from './strict-message.ts';

/**
 * accept; refuse the recipient or the message permanently; refuse temporarily (later); close the connection (drop) or never
 * respond (stall) after DATA; accept without responding (keep silently).
 */
export type DeliveryBehavior = 'accept' | 'refuse' | 'refuse message' | 'later' | 'drop' | 'stall' | 'keep silently';

export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>;

/**
 * A real SMTP server that records accepted messages, on a free port unless one is given. `behave` chooses the behavior per message,
 * by its recipient. It refuses what strict servers refuse or score as spam: invalid names in the greeting and invalid messages.
 */
export async function startSmtpServer(behave: (to: string) => DeliveryBehavior = () => 'accept', port = 0) {
  const accepted: { ehlo: string; from: string; to: string[]; source: string }[] = [];
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
    /** Accepted messages with their envelopes, in order of arrival. */
    accepted,
    /** Sources of all messages received completely, accepted or not. */
    sources,
    /** Waits until this many messages have been accepted. */
    async taken(count: number) {
      while (accepted.length < count) await once(arrived, 'mail');
    },
    /** Number of messages started, accepted or not. */
    attempts: () => attempts,
    [Symbol.asyncDispose]: (): Promise<void> => {
      for (const connection of server.connections) connection.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
