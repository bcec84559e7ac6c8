import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { flood, sendRepeatedly, startRudeServer } from '#testing/faults/misbehaving-server.ts';
import { callHelpdesk, createBudget, type HelpdeskRequest, NoResponse } from './helpdesk.client.ts';

const GET: HelpdeskRequest = { method: 'GET', path: '/api/v2/things', repeatable: true };
const at = (port: number) => ({ base: new URL(`http://127.0.0.1:${port}/acme`), lookup: undefined });
/** Makes one attempt, with enough time for everything that doesn't wait. */
const ONCE = { attempts: 1 };
const SOON = { attempts: 1, callMs: 300 };

/** Responds to the head of a request with a text, then runs `then`. */
function saying(text: string, then: (socket: Socket) => void = () => undefined): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', () => {
      socket.write(text);
      then(socket);
    });
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe('a call fails, and its connection is closed, if the response', () => {
  const cases: [string, (socket: Socket) => void, object, RegExp][] = [
    [
      'is reset in its middle',
      saying(`${OK}Content-Length: 100\r\n\r\n{"a"`, (socket) => setImmediate(() => socket.resetAndDestroy())),
      ONCE,
      /aborted|ECONNRESET/,
    ],
    [
      'ends before its length',
      saying(`${OK}Content-Length: 100\r\n\r\n{"a"`, (socket) => socket.end()),
      ONCE,
      /aborted/,
    ],
    [
      'ends in the middle of a chunk',
      saying(`${OK}Transfer-Encoding: chunked\r\n\r\nff\r\n{"a"`, (socket) => socket.end()),
      ONCE,
      /aborted/,
    ],
    [
      'is 10 MB long and says so',
      saying(`${OK}Content-Length: 10485760\r\n\r\n`, (socket) => flood(socket, 'x'.repeat(65_536))),
      ONCE,
      /too large/,
    ],
    [
      'has chunks without an end',
      saying(`${OK}Transfer-Encoding: chunked\r\n\r\n`, (socket) => flood(socket, `ffff\r\n${'x'.repeat(65_535)}\r\n`)),
      ONCE,
      /too large/,
    ],
    [
      'comes byte by byte without an end',
      saying(`${OK}Transfer-Encoding: chunked\r\n\r\n`, (socket) => sendRepeatedly(socket, '1\r\nx\r\n')),
      SOON,
      /timeout|aborted/,
    ],
    [
      'has headers byte by byte without an end',
      saying(`${OK}X-A: `, (socket) => sendRepeatedly(socket, 'x')),
      SOON,
      /timeout|aborted/,
    ],
    [
      'has headers of a megabyte',
      saying(OK, (socket) => flood(socket, `X-A: ${'x'.repeat(1_000)}\r\n`)),
      ONCE,
      /overflow/i,
    ],
    ['is no HTTP', saying('220 mail.test ESMTP\r\n'), ONCE, /Expected HTTP|Parse Error/],
    [
      'has two lengths',
      saying(`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`),
      ONCE,
      /Parse Error|Content-Length/,
    ],
    ['does not come', () => undefined, SOON, /timeout|aborted/],
  ];
  for (const [about, behave, limits, said] of cases)
    test(about, async () => {
      await using desk = await startRudeServer(behave);
      const outcome = callHelpdesk(at(desk.port), GET, createBudget(10_000, limits));
      await assert.rejects(outcome, (error) => error instanceof NoResponse && said.test(error.message));
      while (desk.open() > 0) await pause(10);
    });
});

test('a retry waits as long as Retry-After says, not only the usual delay', async () => {
  const events: string[] = [];
  await using desk = await startRudeServer((socket) =>
    socket.once('data', () => {
      events.push('called');
      const isFirst = events.length === 1;
      socket.end(
        isFirst
          ? 'HTTP/1.1 429 Wait\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}'
          : `${OK}Content-Length: 2\r\n\r\n{}`,
      );
      if (isFirst) setTimeout(() => events.push('0.9 seconds later'), 900);
    }),
  );
  const { status } = await callHelpdesk(at(desk.port), GET, createBudget(10_000, { retryDelayMs: 1 }));
  assert.deepEqual([status, events], [200, ['called', '0.9 seconds later', 'called']]);
});
