import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
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
  const refuse = (reason: string, responseCode: number) => Object.assign(new Error(reason), { responseCode });
  const closeConnections = () => {
    for (const connection of server.connections) connection.close();
  };
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom(_address, { hostNameAppearsAs }, done) {
      if (isEhloName(hostNameAppearsAs || '')) return done();
      done(refuse(`invalid name in EHLO: ${hostNameAppearsAs}`, 550));
    },
    onRcptTo({ address }, _session, done) {
      attempts += 1;
      const now = behave(address);
      if (now === 'refuse') return done(refuse('no such mailbox', 550));
      if (now === 'later') return done(refuse('try later', 451));
      done();
    },
    async onData(stream, session, done) {
      const message = await buffer(stream).catch(() => undefined);
      // The client disconnected before the end.
      if (message === undefined) return;
      const source = message.toString('utf8');
      sources.push(source);
      const { mailFrom, rcptTo, bodyType, smtpUtf8 } = session.envelope;
      const faults = findMessageFaults(message, { eightBit: bodyType === '8bitmime', smtpUtf8: smtpUtf8 === true });
      if (faults.length > 0) return done(refuse(`invalid message: ${faults.join('; ')}`, 550));
      const now = behave(rcptTo[0]?.address ?? '');
      if (now === 'stall') return;
      // Close after DATA, without a response.
      if (now === 'drop') return closeConnections();
      if (now === 'refuse message') return done(refuse('looks like spam', 554));
      const ehlo = session.hostNameAppearsAs || '';
      const from = mailFrom ? mailFrom.address : '';
      accepted.push({ ehlo, from, to: rcptTo.map(({ address }) => address), source });
      arrived.emit('mail');
      if (now !== 'keep silently') done();
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
    async taken(count: number) {
      while (accepted.length < count) await once(arrived, 'mail');
    },
    attempts: () => attempts,
    [Symbol.asyncDispose]: (): Promise<void> => {
      closeConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
