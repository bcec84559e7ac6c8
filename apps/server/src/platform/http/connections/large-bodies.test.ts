import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { rawClient } from '#testing/app/raw-http.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

const BODY = Buffer.alloc(5_000_000, ' ');
const READY = 'GET /healthz HTTP/1.1\r\nHost: steward.test\r\n\r\n';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, listen: true });
});

afterAll(() => node[Symbol.asyncDispose]());

function post(headers: string): string {
  return `POST /api/v4/users/login HTTP/1.1\r\nHost: steward.test\r\nContent-Type: application/json\r\n${headers}\r\n`;
}

const SIZED = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const inChunks = Buffer.concat([Buffer.from(`${BODY.length.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')]);

/** Sends everything before reading, as simple HTTP clients do; rejects if the connection breaks earlier. */
async function sendThenRead(bytes: Buffer, count = 1): Promise<string> {
  const client = rawClient(node.url);
  client.socket.pause();
  await new Promise<void>((resolve, reject) => {
    client.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  client.socket.resume();
  const text = await client.answered(count);
  client.socket.destroy();
  return text;
}

const TOO_LARGE = /^HTTP\/1\.1 413 .*"id":"request\.too_large"/s;

describe('a body of 5 MB gets a readable 413', () => {
  const ways: [string, string, Buffer][] = [
    ['with a length', SIZED, BODY],
    ['in chunks', CHUNKED, inChunks],
    ['with a length, from a client that asks to close the connection', `${SIZED}Connection: close\r\n`, BODY],
    ['in chunks, from a client that asks to close the connection', `${CHUNKED}Connection: close\r\n`, inChunks],
  ];
  for (const [about, headers, body] of ways) {
    test(about, async () => {
      for (let round = 0; round < 5; round += 1)
        assert.match(await sendThenRead(Buffer.concat([Buffer.from(post(headers)), body])), TOO_LARGE);
    });
  }

  test('and the connection can be reused', async () => {
    const bytes = Buffer.concat([Buffer.from(post(SIZED)), BODY, Buffer.from(READY)]);
    assert.match(await sendThenRead(bytes, 2), /^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s);
  });

  test('from a client that waits for 100 Continue', async () => {
    const bytes = Buffer.concat([Buffer.from(post(`${SIZED}Expect: 100-continue\r\n`)), BODY]);
    assert.match(
      await sendThenRead(bytes, 2),
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 413 .*"request\.too_large"/s,
    );
  });
});
