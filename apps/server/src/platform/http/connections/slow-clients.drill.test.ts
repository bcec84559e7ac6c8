import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { PIPELINED_MAX } from '#platform/http/fastify.ts';
import { type RawClient, rawClient } from '#testing/app/raw-http.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { entries } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

/** Number of idle clients; use `IDLE_SOCKETS=5000` for a realistic attack. */
const IDLE = Number(process.env.IDLE_SOCKETS ?? 250);
/** Instead of the production value of 30 seconds; long enough for all clients to be connected at once. */
const REQUEST_MS = Math.max(1_500, IDLE * 3);

let node: TestApp;
let team: TestTeam;
let others: ReturnType<typeof servedOthers>;

beforeAll(async () => {
  node = await startApp({ work: false, listen: true, requestMs: REQUEST_MS, pool: 4 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

/** After every test, other clients have been served throughout, and the test's own connections are closed. */
afterEach(async () => {
  assert.ok((await others.stop()) > 0);
  assert.equal(await connections(), 0);
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    node.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Keeps sending requests that use the database, each on a new connection. */
function servedOthers() {
  let isOver = false;
  let calls = 0;
  const working = (async () => {
    while (!isOver) {
      const headers = { cookie: team.admin.cookie, connection: 'close' };
      const response = await fetch(`${node.url}/api/v4/admin/teams/${team.id}/users`, { headers });
      assert.equal(response.status, 200, await response.text());
      calls += 1;
      await pause(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await working;
      // The server notices a closed connection a moment after the client.
      while ((await connections()) > 0) await pause(10);
      return calls;
    },
  };
}

/** Sends a byte at intervals until the connection is closed, ignoring responses. */
async function drip({ socket, closed }: RawClient, byte: string): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    if (socket.writable) socket.write(byte);
    await pause(20);
  }
}

const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: steward.test\r\n${headers}\r\n`;

test('headers sent byte by byte get 408 after the timeout, and the client is disconnected', async () => {
  others = servedOthers();
  const client = rawClient(node.url, { allowHalfOpen: true });
  client.socket.write('GET /healthz HTTP/1.1\r\nHost: steward.test\r\nX: ');
  await drip(client, 'x');
  assert.match(client.said(), /^HTTP\/1\.1 408 .*"id":"request.timeout"/s);
});

test('a body sent byte by byte too, also by a client that never closes its side', async () => {
  others = servedOthers();
  const client = rawClient(node.url, { allowHalfOpen: true });
  client.socket.write(
    'POST /api/v4/users/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
  );
  await drip(client, ' ');
  assert.match(client.said(), /^HTTP\/1\.1 408 .*"id":"request.timeout"/s);
});

test(`${IDLE} idle connections are closed after the request timeout`, async () => {
  others = servedOthers();
  const clients: RawClient[] = [];
  let most = 0;
  while (clients.length < IDLE) {
    const batch = Array.from({ length: 250 }, () => rawClient(node.url));
    clients.push(...batch);
    // No more than the backlog of a busy server: beyond it, connections are dropped and would wait forever.
    await Promise.all(batch.map(({ socket }) => once(socket, 'connect')));
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, await connections());
  }
  console.log(`${most} connections at once`);
  await Promise.all(clients.map(({ closed }) => closed));
  assert.ok(clients.every(({ statuses }) => statuses().join() === '408'));
});

test('connections that stay silent after a response, or never close their side, are closed after a while', async () => {
  others = servedOthers();
  const clients = Array.from({ length: 20 }, () => rawClient(node.url, { allowHalfOpen: true }));
  for (const { socket } of clients) socket.write(GET('/healthz'));
  await Promise.all(clients.map(({ socket }) => once(socket, 'end')));
  assert.ok(clients.every(({ statuses }) => statuses().join() === '200'));
  for (const { socket } of clients) socket.destroy();
});

test('a client that requests a lot and reads nothing is disconnected', async () => {
  const names = Array.from({ length: 2_000 }, (_, at) => ({ name: `Entry ${at} ${'x'.repeat(150)}` }));
  await entries(node, team.id, names);
  others = servedOthers();
  const { socket } = rawClient(node.url, { allowHalfOpen: true });
  socket.pause();
  const path = `/api/v4/teams/${team.id}/compdir?limit=2000`;
  socket.write(GET(path, `Cookie: ${team.admin.cookie}\r\n`).repeat(PIPELINED_MAX));
  await others.stop();
  socket.destroy();
});

test(`${PIPELINED_MAX} pipelined requests are answered in order`, async () => {
  others = servedOthers();
  const client = rawClient(node.url);
  const headers = `Cookie: ${team.admin.cookie}\r\n`;
  const paths = Array.from({ length: PIPELINED_MAX }, (_, at) => (at % 3 ? '/api/v4/users/me' : '/api/v4/nothing'));
  client.socket.write(paths.map((path) => GET(path, headers)).join(''));
  await client.answered(PIPELINED_MAX);
  assert.deepEqual(
    client.statuses(),
    paths.map((path) => (path.endsWith('me') ? 200 : 404)),
  );
  client.socket.destroy();
});

test('a thousand pipelined requests end the connection, and do not queue at the database before others', async () => {
  others = servedOthers();
  const client = rawClient(node.url);
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, node.deps.pool.waitingCount);
  }, 1);
  client.socket.write(GET('/api/v4/users/me', `Cookie: ${team.admin.cookie}\r\n`).repeat(1_000));
  await client.closed;
  clearInterval(watching);
  assert.ok(most <= PIPELINED_MAX, `${most} waited`);
});
