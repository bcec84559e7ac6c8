import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { parseEnv } from '#platform/env.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { wrongCertificate } from '#testing/faults/untrusted-certificate.ts';
import { listen } from '#testing/peers/listen.ts';
import { addAuditEvent, JOB_ORIGIN } from '../audit.store.ts';
import { countAuditRows, sealAuditRows } from '../seal-audit.actions.ts';
import { type AuditSink, createAuditSink, type NumberedLine } from './audit-sink.client.ts';
import { createSendAuditWorker, sendAuditRows } from './send-audit.job.ts';
import { countUnsent, takeTurn } from './sink.store.ts';

let node: TestApp;
let written = 0;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 6 });
});

beforeEach(() => sql`delete from audit_sink`.execute(node.db).then(() => sendAll()));

afterAll(() => node[Symbol.asyncDispose]());

/** A receiver that takes everything, so that a test begins with nothing to send. */
const sendAll = () => sendAuditRows(node.db, { sink: { send: async () => undefined }, holder: 'before' });

/** Adds rows to the log and to the chain, and returns their targets in its order. */
async function write(count: number): Promise<string[]> {
  const targets = Array.from({ length: count }, () => `t${++written}`);
  const event = { action: 'users.reactivated', teamId: '', actorId: null, origin: JOB_ORIGIN } as const;
  await inTransaction(node.db, async (trx) => {
    for (const target of targets) await addAuditEvent(trx, node.deps, { ...event, target });
  });
  await sealAuditRows(node.db, node.deps.secrets);
  const { rows } = await sql<{ target: string }>`select e.target from audit_chain c join audit_events e
    on e.team_id = c.team_id and e.id = c.event_id where e.target = any(${targets}) order by c.number`.execute(node.db);
  assert.equal(rows.length, count);
  return rows.map(({ target }) => target);
}

const sinkTo = (AUDIT_SINK: string, more: Record<string, string> = {}, timeoutMs = 5_000): AuditSink => {
  const sink = createAuditSink(parseEnv({ AUDIT_SINK, PUBLIC_URL: 'https://steward.example', ...more }), timeoutMs);
  assert.ok(sink);
  return sink;
};

const targetsIn = (rows: readonly NumberedLine[]) => rows.map(({ target }) => target);

async function readBody(request: IncomingMessage): Promise<NumberedLine[]> {
  let text = '';
  for await (const part of request) text += part;
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as NumberedLine);
}

type Answer = (request: IncomingMessage, response: ServerResponse, rows: NumberedLine[]) => void;

const httpPeer = (answer: Answer) =>
  listen(createServer((request, response) => void readBody(request).then((rows) => answer(request, response, rows))));

describe('an HTTPS receiver', () => {
  test('gets all rows as NDJSON in the order of the chain, each once, in batches', async () => {
    const bodies: NumberedLine[][] = [];
    await using peer = await httpPeer((request, response, rows) => {
      assert.deepEqual([request.method, request.url], ['POST', '/in?team=ops']);
      assert.equal(request.headers['content-type'], 'application/x-ndjson; charset=utf-8');
      bodies.push(rows);
      response.end();
    });
    const targets = await write(501);
    const sink = sinkTo(`http://127.0.0.1:${peer.port}/in?team=ops`);
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'a' }), 501);
    assert.deepEqual(
      bodies.map((rows) => rows.length),
      [500, 1],
    );
    const rows = bodies.flat();
    assert.deepEqual(targetsIn(rows), targets);
    const first = rows[0]?.number ?? 0;
    assert.deepEqual(
      rows.map(({ number }) => number),
      targets.map((_, at) => first + at),
    );
    assert.ok(rows.every(({ digest, position }) => /^[0-9a-f]{64}$/.test(digest ?? '') && (position ?? 0) > 0));
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'a' }), 0, 'nothing twice');
  });

  test('gets the credentials of the URL, or the token', async () => {
    const seen: unknown[] = [];
    await using peer = await httpPeer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(204).end();
    });
    await write(1);
    const place = `127.0.0.1:${peer.port}`;
    await sendAuditRows(node.db, { sink: sinkTo(`http://log%40ops:p%3Ass@${place}`), holder: 'a' });
    await write(1);
    await sendAuditRows(node.db, {
      sink: sinkTo(`http://${place}`, { AUDIT_SINK_TOKEN: 'secret-token' }),
      holder: 'a',
    });
    assert.deepEqual(seen, [`Basic ${Buffer.from('log@ops:p:ss').toString('base64')}`, 'Bearer secret-token']);
  });

  test('that refuses or redirects has acknowledged nothing: the same rows are sent again', async () => {
    const answers = [500, 302, 200];
    const got: (string | null)[][] = [];
    await using peer = await httpPeer((_request, response, rows) => {
      got.push(targetsIn(rows));
      response.writeHead(answers[got.length - 1] ?? 200, { location: '/elsewhere' }).end();
    });
    const targets = await write(2);
    const sink = sinkTo(`http://127.0.0.1:${peer.port}`);
    const send = () => sendAuditRows(node.db, { sink, holder: 'a' });
    await assert.rejects(send(), /status 500/);
    await assert.rejects(send(), /status 302/);
    assert.equal(await countUnsent(node.db), 2);
    assert.equal(await send(), 2);
    assert.deepEqual(got, [targets, targets, targets]);
  });

  test('that does not answer is given up, and changes are written in the meantime', async () => {
    let onRequest = () => {};
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    await using peer = await httpPeer(() => onRequest());
    await write(1);
    const sink = sinkTo(`http://127.0.0.1:${peer.port}`, {}, 300);
    const sending = assert.rejects(sendAuditRows(node.db, { sink, holder: 'a' }), /timeout/i);
    await requested;
    await write(1);
    await sending;
    assert.equal(await countUnsent(node.db), 2);
  });
});

/** Messages in a stream with octet counting. */
function readFrames(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const space = rest.indexOf(' ');
    const length = Number(rest.subarray(0, space).toString());
    messages.push(rest.subarray(space + 1, space + 1 + length).toString());
    rest = rest.subarray(space + 1 + length);
  }
  return messages;
}

/** Collects what arrives until the other side has ended, then ends too. */
const collect = (received: Buffer[]) => (socket: Socket) => {
  socket.on('error', () => undefined);
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('end', () => received.push(Buffer.concat(parts)));
};

describe('a syslog receiver', () => {
  test('gets each row as a message of RFC 5424 with its length', async () => {
    const received: Buffer[] = [];
    await using peer = await listen(createTcpServer(collect(received)));
    const targets = await write(3);
    const sink = sinkTo(`syslog://127.0.0.1:${peer.port}`);
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'a' }), 3);
    const messages = readFrames(Buffer.concat(received));
    const form =
      /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z steward\.example steward - users\.reactivated - (\{.*\})$/;
    const rows = messages.map((message) => JSON.parse(message.match(form)?.[1] ?? 'null') as NumberedLine);
    assert.deepEqual(targetsIn(rows), targets);
  });

  test('gets them encrypted with syslog+tls, if its certificate is trusted', async () => {
    const { key, cert } = wrongCertificate();
    const received: Buffer[] = [];
    const refused = new Set<Socket>();
    const server = tls.createServer({ key, cert }, collect(received));
    server.on('tlsClientError', (_error, socket) => refused.add(socket));
    const peer = await listen(server);
    await write(2);
    const sink = sinkTo(`syslog+tls://localhost:${peer.port}`);
    const send = () => sendAuditRows(node.db, { sink, holder: 'a' });
    await assert.rejects(send(), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.deepEqual([received.length, await countUnsent(node.db)], [0, 2]);
    const usual = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...usual, cert]);
    try {
      assert.equal(await send(), 2);
    } finally {
      tls.setDefaultCACertificates(usual);
    }
    assert.equal(readFrames(Buffer.concat(received)).length, 2);
    for (const socket of refused) socket.destroy();
    await peer[Symbol.asyncDispose]();
  });

  test('that dies before it has read everything has acknowledged nothing', async () => {
    await using dying = await listen(
      createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy())),
    );
    const targets = await write(1);
    await assert.rejects(
      sendAuditRows(node.db, { sink: sinkTo(`syslog://127.0.0.1:${dying.port}`), holder: 'a' }),
      /ECONNRESET|EPIPE|closed the connection/,
    );
    const received: Buffer[] = [];
    await using peer = await listen(createTcpServer(collect(received)));
    await sendAuditRows(node.db, { sink: sinkTo(`syslog://127.0.0.1:${peer.port}`), holder: 'a' });
    assert.match(Buffer.concat(received).toString(), new RegExp(`"target":"${targets[0]}"`));
  });
});

describe('sending', () => {
  test('by two processes at once sends each row once and in order', async () => {
    const targets = await write(1_001);
    const got: NumberedLine[] = [];
    const sink: AuditSink = {
      async send(rows) {
        await new Promise(setImmediate);
        got.push(...rows);
      },
    };
    const counts = await Promise.all(['a', 'b', 'c'].map((holder) => sendAuditRows(node.db, { sink, holder })));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1_001,
    );
    assert.deepEqual(targetsIn(got), targets);
  });

  test('continues after a process that died between sending and recording, and repeats what was not recorded', async () => {
    const targets = await write(2);
    // As a killed process leaves it: it has the turn and recorded nothing.
    await takeTurn(node.db, 'killed');
    const got: NumberedLine[] = [];
    const sink: AuditSink = { send: async (rows) => void got.push(...rows) };
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'next' }), 0, 'not before the turn has expired');
    await sql`update audit_sink set held_until = now() - interval '1 second'`.execute(node.db);
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'next' }), 2);
    assert.deepEqual(targetsIn(got), targets);
  });

  test('records nothing for a process whose turn was taken over while it sent', async () => {
    await write(1);
    const sink: AuditSink = {
      async send() {
        await sql`update audit_sink set held_until = now() - interval '1 second'`.execute(node.db);
        assert.notEqual(await takeTurn(node.db, 'other'), undefined);
      },
    };
    assert.equal(await sendAuditRows(node.db, { sink, holder: 'late' }), 0);
    assert.equal(await countUnsent(node.db), 1);
    const { rows } = await sql<{ holder: string }>`select holder from audit_sink`.execute(node.db);
    assert.deepEqual(rows, [{ holder: 'other' }], 'the turn of the other one is not ended');
  });

  test('pauses after a failure, says so without the address of the receiver, and continues', async () => {
    let status = 503;
    let requests = 0;
    await using peer = await httpPeer((_request, response) => {
      requests += 1;
      response.writeHead(status).end();
    });
    const env = { ...node.deps.env, ...parseEnv({ AUDIT_SINK: `http://user:hidden@127.0.0.1:${peer.port}` }) };
    const said: unknown[][] = [];
    const log = { warn: (...line: unknown[]) => said.push(line), info: (...line: unknown[]) => said.push(line) };
    const worker = createSendAuditWorker({ db: node.db, env, log: log as unknown as TestApp['deps']['log'] });
    const run = () => worker.handle({}, { id: 'x', attempt: 1, isLast: true });
    await write(1);
    await run();
    await run();
    assert.equal(requests, 1, 'the second run falls into the pause');
    assert.deepEqual(await countAuditRows({ db: node.db, env }), [
      { state: 'unchained', count: 0 },
      { state: 'unsent', count: 1 },
    ]);
    assert.equal(said.length, 1);
    assert.doesNotMatch(JSON.stringify(said), /hidden/);
    status = 200;
    const fresh = createSendAuditWorker({ db: node.db, env, log: log as unknown as TestApp['deps']['log'] });
    await fresh.handle({}, { id: 'x', attempt: 1, isLast: true });
    assert.equal(await countUnsent(node.db), 0);
  });
});

describe('AUDIT_SINK', () => {
  test('has the ports of its protocols by default', () => {
    const read = (AUDIT_SINK: string) => parseEnv({ AUDIT_SINK }).AUDIT_SINK;
    assert.deepEqual(read('syslog://logs.example'), {
      kind: 'syslog',
      host: 'logs.example',
      port: 601,
      isEncrypted: false,
    });
    assert.deepEqual(read('syslog+tls://[::1]'), { kind: 'syslog', host: '::1', port: 6514, isEncrypted: true });
    assert.deepEqual(read('https://logs.example/in?a=1#x'), {
      kind: 'https',
      url: 'https://logs.example/in?a=1',
      authorization: undefined,
    });
  });

  test('is refused unless it is safe and complete', () => {
    for (const [AUDIT_SINK, reason] of [
      ['nonsense', /must be a URL/],
      ['http://logs.example', /must use https, unless its host is on loopback/],
      ['ftp://logs.example', /must start with/],
      ['syslog://', /must be a URL|only a host and a port/],
      ['syslog://logs.example/path', /only a host and a port/],
      ['syslog://user@logs.example', /only a host and a port/],
      ['syslog://logs.example:99999', /must be a URL/],
    ] as const)
      assert.throws(() => parseEnv({ AUDIT_SINK }), reason, AUDIT_SINK);
  });
});
