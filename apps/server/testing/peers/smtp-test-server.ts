import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A real mail server that behaves as a test wants, and keeps what it accepts. */
export interface SmtpTestServer extends AsyncDisposable {
  url: string;
  /** Whole messages with their envelopes, in the order of arrival. */
  accepted: { from: string; to: string[]; source: string }[];
  /** Sources of all messages that came whole, whatever became of them. */
  sources: string[];
  /** Ends when so many messages were accepted. */
  taken(count: number): Promise<void>;
  /** Number of messages that were begun, whatever came of them. */
  attempts(): number;
}

/** Refuses the receiver or the message for good, puts off, hangs up after DATA, says nothing after DATA; or takes it, and says nothing. */
export type DeliveryBehavior = 'accept' | 'refuse' | 'refuse message' | 'later' | 'drop' | 'stall' | 'keep silently';

/** Starts a peer, on a port of its own unless one is given; `temper` is asked at every message, by its receiver. */
export async function startSmtpServer(
  temper: (to: string) => DeliveryBehavior = () => 'accept',
  port = 0,
): Promise<SmtpTestServer> {
  const accepted: SmtpTestServer['accepted'] = [];
  const sources: string[] = [];
  const arrived = new EventEmitter();
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      attempts += 1;
      const now = temper(address);
      if (now === 'refuse') return done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      if (now === 'later') return done(Object.assign(new Error('try later'), { responseCode: 451 }));
      done();
    },
    onData(stream, session, done) {
      let source = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        source += chunk;
      });
      stream.on('end', () => {
        sources.push(source);
        const { mailFrom, rcptTo } = session.envelope;
        const now = temper(rcptTo[0]?.address ?? '');
        if (now === 'stall') return;
        // Gone after DATA, before saying whether the message was taken.
        if (now === 'drop') {
          for (const connection of server.connections) connection.close();
          return;
        }
        if (now === 'refuse message') return done(Object.assign(new Error('looks like spam'), { responseCode: 554 }));
        accepted.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source });
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
