import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { parseSmtpUrl } from '#platform/settings/smtp.ts';
import { flood, sendRepeatedly, startRudeServer } from '#testing/faults/misbehaving-server.ts';
import { smtpTransport } from './mail.ts';
import type { Posted } from './mailbox.ts';

const MAIL: Posted = {
  to: 'to@example.test',
  from: { name: '', address: 'from@example.test' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  messageId: '<one@example.test>',
  date: '2026-01-01T00:00:00.000Z',
};
/** Long enough that they don't end an attempt on a busy machine. */
const LONG = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 20_000, mailMs: 20_000 };
/** Only one timeout is short, so that no other can end the attempt. */
const GREETING = { ...LONG, greetingTimeout: 300 };
const SESSION = { ...LONG, connectionTimeout: 1_000 };
const UPGRADE = { ...LONG, greetingTimeout: 1_500 };
const WHOLE = { ...LONG, mailMs: 1_000 };

/** Responds like a normal mail server until the command `at`, then calls `spoil`. */
function polite(socket: Socket, at: string, spoil: () => void): void {
  let isSpoilt = false;
  socket.write('220 mail.test\r\n');
  socket.setEncoding('utf8').on('data', (line: string) => {
    if (isSpoilt) return;
    const command = line.slice(0, 4).toUpperCase();
    isSpoilt = command === at;
    if (isSpoilt) spoil();
    else socket.write(command === 'EHLO' && at === 'STAR' ? '250-mail.test\r\n250 STARTTLS\r\n' : '250 fine\r\n');
  });
}

describe('an attempt fails, and the connection is closed, when the mail server', () => {
  const cases: [string, 'smtp' | 'smtps', (socket: Socket) => void, typeof LONG, RegExp][] = [
    ['never greets', 'smtp', () => undefined, GREETING, /Greeting never received/],
    [
      'greets byte by byte without an end',
      'smtp',
      (socket) => sendRepeatedly(socket, '2'),
      GREETING,
      /Greeting never received/,
    ],
    [
      'greets with megabytes in one line',
      'smtp',
      (socket) => flood(socket, '2'.repeat(65_536)),
      LONG,
      /too long|exceed|large/i,
    ],
    ['never ends the handshake of TLS', 'smtps', () => undefined, SESSION, /Connection timeout/],
    [
      'never begins the TLS that it offered',
      'smtp',
      (socket) => polite(socket, 'STAR', () => void socket.write('220 go on\r\n')),
      UPGRADE,
      /TLS handshake timed out/,
    ],
    [
      'answers byte by byte without an end',
      'smtp',
      (socket) => polite(socket, 'MAIL', () => sendRepeatedly(socket, '2')),
      WHOLE,
      /did not accept it within 1 seconds/,
    ],
    [
      'hangs up in the middle of a line',
      'smtp',
      (socket) => void socket.end('22'),
      LONG,
      /closed|Invalid greeting|response/i,
    ],
  ];
  for (const [about, scheme, behave, timeouts, error] of cases)
    test(about, async () => {
      await using server = await startRudeServer(behave);
      const send = smtpTransport(
        parseSmtpUrl(`${scheme}://127.0.0.1:${server.port}`),
        'https://steward.test',
        timeouts,
      );
      await assert.rejects(send(MAIL), error);
      while (server.open() > 0) await pause(10);
    });
});
