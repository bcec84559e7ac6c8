import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { ErrorBody } from '@steward/contract/api/errors';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { exchange } from '#testing/app/raw-http.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

/** Instead of the production value of 30 seconds. */
const REQUEST_MS = 1_500;
const ENTRIES = '[{"name":"Reception"}]';
const SIZE = ENTRIES.length;
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: steward.test\r\n\r\n';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, listen: true, requestMs: REQUEST_MS });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

/** A request that adds an entry, up to the headers under test. */
function adding(headers: string, version = '1.1'): string {
  return (
    `POST /api/v4/teams/${team.id}/compdir HTTP/${version}\r\nHost: steward.test\r\nCookie: ${team.admin.cookie}\r\n` +
    `Content-Type: application/json\r\n${headers}\r\n`
  );
}

const reading = (target: string, headers: string) => `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
const withBody = (headers: string, body: string) => adding(`${headers}Connection: close\r\n`) + body;
const packed = (plain: Buffer | string) => {
  const body = gzipSync(plain);
  const headers = `Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`;
  return Buffer.concat([Buffer.from(adding(headers)), body]);
};
const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

async function entries(): Promise<number> {
  const { rows } = await node.deps.pool.query('select 1 from directory_entries where team_id = $1', [team.id]);
  return rows.length;
}

/** Asserts one error response with this status and our body, a closed connection, and no stored data. */
async function refused(bytes: string | Buffer, status: number): Promise<void> {
  const before = await entries();
  const said = await exchange(node.url, bytes);
  assert.equal(said.match(/HTTP\/1\.1 /g)?.length, 1, said);
  const [head = '', body = ''] = said.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
  assert.match(head, /^x-content-type-options: nosniff$/im);
  assert.match(head, /^cache-control: no-store$/im);
  assert.equal(ErrorBody.parse(JSON.parse(body)).status_code, status);
  assert.equal(await entries(), before);
}

/** Asserts one response with status 200. */
async function answered(bytes: string | Buffer): Promise<void> {
  assert.match(await exchange(node.url, bytes), /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 /);
}

type Sent = () => string | Buffer;

describe('a request that two parsers would delimit differently is rejected, and nothing after it is read', () => {
  const unclear: [string, Sent][] = [
    [
      'a length and chunks',
      () => adding(`Content-Length: ${SIZE}\r\n${CHUNKED}`) + piece(ENTRIES).concat('0\r\n\r\n', HIDDEN),
    ],
    ['chunks and a length', () => adding(`${CHUNKED}Content-Length: 4\r\n`).concat('0\r\n\r\n', HIDDEN)],
    ['two lengths', () => adding(`Content-Length: ${SIZE}\r\nContent-Length: 3\r\n`).concat(ENTRIES, HIDDEN)],
    ['one length twice', () => adding(`Content-Length: ${SIZE}\r\nContent-Length: ${SIZE}\r\n`).concat(ENTRIES)],
    ['a length with a sign', () => adding(`Content-Length: +${SIZE}\r\n`).concat(ENTRIES)],
    ['a length beyond all numbers', () => adding(`Content-Length: ${'9'.repeat(30)}\r\n`).concat(ENTRIES)],
    ['a length shorter than the body', () => adding(`Content-Length: ${SIZE - 3}\r\n`).concat(ENTRIES, HIDDEN)],
    ['an unknown coding', () => adding('Transfer-Encoding: xchunked\r\n').concat('0\r\n\r\n', HIDDEN)],
    ['chunks that are not the last coding', () => adding('Transfer-Encoding: chunked, identity\r\n').concat(HIDDEN)],
    ['two codings', () => adding(`${CHUNKED}Transfer-Encoding: identity\r\n`).concat('0\r\n\r\n', HIDDEN)],
    ['a blank before the colon', () => adding('Transfer-Encoding : chunked\r\n').concat('0\r\n\r\n', HIDDEN)],
    ['a chunk of negative size', () => adding(CHUNKED).concat('-1\r\n', ENTRIES, HIDDEN)],
    ['a chunk beyond all numbers', () => adding(CHUNKED).concat('f'.repeat(18), '\r\n', ENTRIES, HIDDEN)],
    ['a length in the trailers', () => adding(CHUNKED).concat(piece(ENTRIES), '0\r\nContent-Length: 3\r\n\r\n')],
    ['lines that end without a return', () => 'GET /healthz HTTP/1.1\nHost: a\n\n'],
    ['a header over two lines', () => reading('/healthz', 'Host: a\r\nX: a\r\n b\r\n')],
    ['no host', () => reading('/healthz', '')],
    ['two hosts', () => reading('/healthz', 'Host: steward.test\r\nHOST: evil.test\r\n')],
  ];
  for (const [about, bytes] of unclear) test(about, () => refused(bytes(), 400));
});

describe('a request that is too large is rejected before it is processed', () => {
  const large: [string, Sent][] = [
    ['1 MB in one header', () => reading('/healthz', `Host: a\r\nX: ${'x'.repeat(1_000_000)}\r\n`)],
    [
      '1 MB in a thousand headers',
      () => reading('/healthz', `Host: a\r\n${`X: ${'x'.repeat(1_000)}\r\n`.repeat(1_000)}`),
    ],
    ['10,000 query parameters', () => reading(`/healthz?${'a=1&'.repeat(10_000)}`, 'Host: a\r\n')],
    ['a body of 9 TB', () => adding('Content-Length: 9999999999999\r\n')],
    ['1 MB of extensions of a chunk', () => adding(CHUNKED).concat(`1;${'a'.repeat(1_000_000)}\r\n[\r\n0\r\n\r\n`)],
    ['80 KB of trailers', () => adding(CHUNKED).concat(piece(ENTRIES), '0\r\n', 'X: a\r\n'.repeat(13_000), '\r\n')],
    ['20 MB packed into 20 KB', () => packed(Buffer.alloc(20_000_000, ' '))],
  ];
  for (const [about, bytes] of large) test(about, () => refused(bytes(), 413));

  test('4,000 query parameters are accepted', () =>
    answered(
      reading(
        `/api/v4/admin/teams/${team.id}/users?${'a&'.repeat(4_000)}`,
        `Host: a\r\nCookie: ${team.admin.cookie}\r\n`,
      ),
    ));
});

describe('a body that does not match its headers', () => {
  const ofLength = (text: string) => withBody(`Content-Length: ${text.length}\r\n`, text);

  test('nested 100,000 levels deep is rejected, for lists and objects', async () => {
    await refused(ofLength('['.repeat(100_000) + ']'.repeat(100_000)), 400);
    await refused(ofLength(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400);
  });

  test('is decompressed if it is compressed, and rejected otherwise', async () => {
    await answered(packed(ENTRIES));
    for (const coding of ['gzip', 'br', 'deflate'])
      await refused(withBody(`Content-Encoding: ${coding}\r\nContent-Length: ${SIZE}\r\n`, ENTRIES), 400);
    await refused(withBody(`Content-Encoding: zip\r\nContent-Length: ${SIZE}\r\n`, ENTRIES), 415);
  });

  test('shorter than its length times out', () => refused(adding(`Content-Length: ${SIZE + 10}\r\n`) + ENTRIES, 408));

  test('in chunks with trailers is read without the trailers', () =>
    answered(withBody(CHUNKED, `${piece(ENTRIES)}0\r\nX-Role: owner\r\n\r\n`)));
});

describe('unusual requests', () => {
  test('HTTP/1.0 is answered and closed, with and without a host', async () => {
    await answered('GET /healthz HTTP/1.0\r\n\r\n');
    await answered('GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n');
    await refused(adding(CHUNKED, '1.0').concat('0\r\n\r\n'), 400);
  });

  test('an unknown version, and the start of HTTP/2 or TLS, are rejected', async () => {
    for (const bytes of [
      'GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      Buffer.from('16030100f1010000ed0303', 'hex'),
      'GETT /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    ])
      await refused(bytes, 400);
  });

  test('an absolute URL is routed by its path; a target without a path is 404', async () => {
    await answered(reading('http://steward.test/healthz', 'Host: steward.test\r\n'));
    await refused(reading('127.0.0.1:22', 'Host: a\r\n'), 400);
    await refused('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404);
    assert.equal(await exchange(node.url, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n'), '');
  });

  test('100-continue is answered, and other expectations are ignored', async () => {
    const length = `Content-Length: ${SIZE}\r\n`;
    const response = await exchange(node.url, withBody(`Expect: 100-continue\r\n${length}`, ENTRIES));
    assert.match(response, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    await answered(withBody(`Expect: the-moon\r\n${length}`, ENTRIES));
    await refused(withBody(`Expect: the-moon\r\n${length}`, 'x'.repeat(SIZE)), 400);
  });

  test('an upgrade request gets a normal response', async () => {
    for (const offer of [
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n',
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ])
      await answered(`GET /healthz HTTP/1.1\r\nHost: a\r\n${offer}Connection: Upgrade, close\r\n\r\n`);
  });
});

test('none of them is logged as a server error', () => {
  assert.deepEqual(
    node.log.filter((line) => JSON.parse(line).level >= 50),
    [],
  );
});
