import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoint } from '@steward/contract/api/endpoint';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '#platform/observability/log.ts';
import { testEnv } from '#testing/app/test-env.ts';
import { type Refusal, refuse } from '../errors.ts';
import { createServer } from '../fastify.ts';
import { serve } from '../http.ts';
import { bodyStream } from './body-stream.ts';

/** Instead of the production value of 30 seconds. */
const REQUEST_MS = 600;
/** Frequent enough for a stream, also on a busy machine. */
const DRIP_MS = 50;

const Counted = z.object({ bytes: z.int() });
const count = endpoint({
  name: 'count',
  method: 'POST',
  path: '/count',
  summary: 'Counts a stream.',
  accepts: 'application/x-ndjson',
  answer: Counted,
});
const measure = endpoint({
  name: 'measure',
  method: 'POST',
  path: '/measure',
  summary: 'Measures JSON.',
  body: z.object({ text: z.string() }),
  answer: Counted,
});

let app: FastifyInstance;
let port: number;
const log: string[] = [];
/** The handler awaits `gate` after each chunk, and rejects the stream after `enough` bytes. */
let gate: Promise<unknown> = Promise.resolve();
let enough = Number.POSITIVE_INFINITY;
/** Called with each chunk, and with the error that ended a stream early. */
let onPiece = () => {};
let onEnd: (reason: unknown) => void = () => {};

beforeAll(async () => {
  app = await createServer(testEnv(), createLog('info', { write: (line) => void log.push(line) }), REQUEST_MS);
  const anyone = async () => null;
  serve(app, measure, anyone, async ({ body }) => ({ bytes: body.text.length }));
  serve(app, count, anyone, async ({ request }) => {
    let bytes = 0;
    try {
      for await (const piece of bodyStream(request, app.server.requestTimeout)) {
        onPiece();
        await gate;
        bytes += piece.length;
        if (bytes >= enough) refuse('record.conflict');
      }
    } catch (error) {
      onEnd(error);
      throw error;
    }
    return { bytes };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as { port: number }).port;
});

afterAll(() => app.close());

interface Client {
  socket: Socket;
  /** All responses so far. */
  said(): string;
  /** Resolves when a response has arrived. */
  answered(): Promise<string>;
}

function client(path: string, type: string): Client {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.on('error', () => {});
  socket.write(
    `POST /api/v4/${path} HTTP/1.1\r\nHost: steward.test\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const answered = async () => {
    while (!text.includes('\r\n\r\n{') && !socket.destroyed)
      await Promise.race([once(socket, 'data'), waitForClose(socket)]);
    return text;
  };
  return { socket, said: () => text, answered };
}

/** Unlike `once`, doesn't reject when the connection is reset. */
const waitForClose = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

const stream = () => client('count', 'application/x-ndjson');
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

test('a stream may take many times as long as other requests while data arrives', async () => {
  const { socket, answered } = stream();
  const end = performance.now() + REQUEST_MS * 2.5;
  let sent = 0;
  for (; performance.now() < end; sent += 4) {
    socket.write(chunk('abc\n'));
    await pause(DRIP_MS);
  }
  socket.write(END);
  assert.match(await answered(), new RegExp(`^HTTP/1\\.1 200 .*\\{"bytes":${sent}\\}`, 's'));
  socket.destroy();
});

test('a silent stream gets 408 and is disconnected', async () => {
  const { socket, answered } = stream();
  socket.write(chunk('abc\n'));
  assert.match(await answered(), /^HTTP\/1\.1 408 .*"id":"request.timeout"/s);
  if (!socket.destroyed) await waitForClose(socket);
});

test('any other request that arrives as slowly gets 408', async () => {
  const slow = client('measure', 'application/json');
  const closed = waitForClose(slow.socket);
  const drip = async () => {
    while (!slow.socket.destroyed) {
      slow.socket.write(chunk(' '));
      await pause(DRIP_MS);
    }
  };
  await Promise.all([closed, drip()]);
  assert.match(slow.said(), /^HTTP\/1\.1 408 .*"id":"request.timeout"/s);
});

test('the next request on the connection of a stream gets 408 too', async () => {
  const { socket, answered, said } = stream();
  socket.write(chunk('abc\n') + END);
  await answered();
  const closed = waitForClose(socket);
  socket.write(
    'POST /api/v4/measure HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n',
  );
  const drip = async () => {
    while (!socket.destroyed) {
      socket.write(' ');
      await pause(DRIP_MS);
    }
  };
  await Promise.all([closed, drip()]);
  assert.match(said(), /\{"bytes":4\}.*HTTP\/1\.1 408 /s);
});

test('a stream that waits for the server does not count as silent, and loses nothing', async () => {
  const { socket, answered } = stream();
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  socket.write(chunk('x'.repeat(200_000)));
  // Longer than the timeouts of a request and of an idle connection.
  await pause(REQUEST_MS * 2.2);
  opened.resolve();
  socket.write(chunk('y') + END);
  assert.match(await answered(), /^HTTP\/1\.1 200 .*\{"bytes":200001\}/s);
  gate = Promise.resolve();
  socket.destroy();
});

test('a client that is still sending when it is rejected can read the error, and is disconnected if it does not stop', async () => {
  enough = 1_000_000;
  const { socket, said } = stream();
  const closed = waitForClose(socket);
  const flood = async () => {
    const drained = () => new Promise((resolve) => socket.once('drain', resolve));
    while (!socket.destroyed) if (!socket.write(chunk('z'.repeat(65_536)))) await Promise.race([drained(), closed]);
  };
  await flood();
  await closed;
  assert.match(said(), /^HTTP\/1\.1 409 .*"id":"record.conflict"/s);
  enough = Number.POSITIVE_INFINITY;
});

test('a client that disconnects is not logged as an error', async () => {
  const { socket } = stream();
  const came = Promise.withResolvers<void>();
  onPiece = came.resolve;
  socket.write(chunk('abc\n'));
  await came.promise;
  const ended = new Promise((resolve) => {
    onEnd = resolve;
  });
  socket.resetAndDestroy();
  assert.equal(((await ended) as Refusal).id, 'request.invalid');
  assert.deepEqual(
    log.filter((line) => line.includes('"level":50')),
    [],
  );
});
