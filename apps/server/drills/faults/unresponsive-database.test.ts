import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import { getMe, login, sendPasswordReset } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, type Sending, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createWorld } from '#testing/authorization/actors.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database/database-proxy.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

/**
 * A tenth of the product's limits, to save time; on a busy machine also calls of a healthy database need longer.
 * `PRODUCT_LIMITS=1` uses those of the product, to report its figures.
 */
const LIMITS = process.env.PRODUCT_LIMITS
  ? {}
  : { statementMs: 250 * TIME_SCALE, waitMs: 150 * TIME_SCALE, jobsResponseTimeoutMs: 500 * TIME_SCALE };
const POOL = 4;
/** Use `SILENT_CALLS=500` to report figures. */
const AT_ONCE = Number(process.env.SILENT_CALLS ?? 100);
/** Response time of a slow database, in milliseconds. */
const SLOW_MS = process.env.PRODUCT_LIMITS ? 2_000 : 100 * TIME_SCALE;

let proxy: DatabaseProxy;
let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  proxy = await startDatabaseProxy(await testDatabase());
  node = await startApp({ database: proxy.database, pool: POOL, limits: LIMITS });
  team = await createTeamWithMembers(node);
});

afterEach(() => {
  proxy.speak();
  proxy.setLatency(0);
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const invite = (email = `${newId()}@example.test`, key = newId()) =>
  call(node, saveUser, {
    as: team.admin,
    params: { teamId: team.id },
    headers: { 'idempotency-key': key },
    body: { email, account_type: 2 },
  });
let signIns = 0;
/** Each sign-in comes from its own network, because of the limit per network. */
function signIn(): Promise<Reply> {
  signIns += 1;
  const from = `198.18.${Math.floor(signIns / 200)}.${1 + (signIns % 200)}`;
  return call(node, login, { body: { login_id: team.member.email, password: team.member.password }, from });
}
const ready = async () => (await send(node, { url: '/readyz' })).status;

/** Time of the slowest call, in milliseconds. */
async function slowest(calls: readonly (() => Promise<Reply>)[]): Promise<{ replies: Reply[]; ms: number }> {
  let ms = 0;
  const timed = async (ask: () => Promise<Reply>) => {
    const began = performance.now();
    const reply = await ask();
    ms = Math.max(ms, Math.round(performance.now() - began));
    return reply;
  };
  return { replies: await Promise.all(calls.map(timed)), ms };
}

function refused(reply: Reply, what: string): void {
  assert.deepEqual([reply.status, reply.body?.id], [503, 'server.unavailable'], `${what}: ${reply.text}`);
  assert.ok(ErrorBody.safeParse(reply.body).success);
}

/** Fills the pool with working connections. */
const warmUp = () => Promise.all(Array.from({ length: POOL }, () => sql`select pg_sleep(0.05)`.execute(node.db)));

/** Returns as soon as a call succeeds again. */
async function recovered(): Promise<void> {
  assert.equal(await ready(), 200, 'the first question after it is answered');
  assert.equal((await call(node, getMe, { as: team.admin })).status, 200, 'session and all');
  assert.equal((await invite()).status, 200);
}

test('a database that falls silent is answered with 503 by every call, on connections that stood and on new ones', async () => {
  const world = await createWorld(node);
  const requests: [AnyEndpoint, Sending][] = [];
  for (const endpoint of endpoints) requests.push([endpoint, (await prepareRequest(endpoint.name, world)).request]);
  await warmUp();
  proxy.silence();
  // On existing connections: a reading call, a transaction, a sign-in and the readiness check each use one.
  const first = await slowest([() => call(node, getMe, { as: team.admin }), () => invite(), () => signIn()]);
  for (const reply of first.replies) refused(reply, 'on a connection that stood');
  console.log(`refused after ${first.ms} ms at most`);
  assert.equal(await ready(), 503);
  // All connections are closed by now, so every other call must open one.
  const replies = requests.map(async ([endpoint, request]) =>
    refused(await call(node, endpoint, request), endpoint.name),
  );
  await Promise.all(replies);
  assert.equal((await send(node, { url: '/healthz' })).status, 200, 'the process lives');
  proxy.speak();
  await recovered();
});

test(`${AT_ONCE} concurrent calls in the meantime are all refused, and leave neither a queue nor a connection behind`, async () => {
  await warmUp();
  proxy.silence();
  const memory = process.memoryUsage().rss;
  const kinds = [() => invite(), () => call(node, getMe, { as: team.admin }), signIn];
  const { replies, ms } = await slowest(Array.from({ length: AT_ONCE }, (_, at) => kinds[at % 3] ?? signIn));
  for (const reply of replies) refused(reply, `one of ${AT_ONCE}`);
  console.log(`refused after ${ms} ms at most; memory grew by ${(process.memoryUsage().rss - memory) >> 20} MiB`);
  // Work in the background may still wait for its own time limit.
  const isEmpty = () => node.deps.pool.waitingCount === 0 && node.deps.pool.idleCount === 0;
  await vi.waitUntil(isEmpty, { timeout: 10_000 * TIME_SCALE });
  proxy.speak();
  await recovered();
});

test('background jobs continue when the database responds again', async () => {
  assert.equal((await invite('before@example.test')).status, 200);
  await node.inbox.next('before@example.test');
  proxy.silence();
  refused(await invite('during@example.test', 'during'), 'during the outage');
  proxy.speak();
  assert.equal((await invite('during@example.test', 'during')).status, 200);
  await node.inbox.next('during@example.test');
});

test('a call whose answer fell silent is done once when it is sent again with its key', async () => {
  const email = `${newId()}@example.test`;
  const key = newId();
  for (let round = 0; round < 3; round += 1) {
    await warmUp();
    const sent = invite(email, key);
    proxy.silence();
    const { status } = await sent;
    assert.ok([200, 503].includes(status), String(status));
    proxy.speak();
  }
  assert.equal((await invite(email, key)).status, 200);
  const { rows } = await sql`select 1 from audit_events a join memberships m on m.person_id = a.target
    where m.email = ${email}`.execute(node.db);
  assert.equal(rows.length, 1);
});

test('a database that takes half a time-out for each answer is used, and who finds no connection is refused', async () => {
  proxy.setLatency(SLOW_MS);
  const replies = await Promise.all(Array.from({ length: 40 }, () => call(node, getMe, { as: team.admin })));
  const statuses = new Set(replies.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [200, 503]);
  for (const reply of replies.filter(({ status }) => status !== 200)) refused(reply, 'no connection');
  assert.equal((await call(node, sendPasswordReset, { body: { email: team.member.email } })).status, 200);
  proxy.setLatency(0);
  await recovered();
});

test('of the requests that wait for a connection, those beyond the limit are refused immediately', async () => {
  await using crowded = await startApp({ beside: node, work: false, pool: 1, limits: { waiting: 5 } });
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = crowded.db.transaction().execute(() => {
    begun.resolve();
    return finish.promise;
  });
  await begun.promise;
  const calls = Array.from({ length: 20 }, () => call(crowded, getMe, { as: team.admin }));
  const early = calls.slice(5).map(async (reply) => refused(await reply, 'beyond the limit'));
  await Promise.all(early);
  assert.ok(crowded.deps.pool.waitingCount > 0, 'the others still wait');
  finish.resolve();
  await held;
  assert.deepEqual([...new Set((await Promise.all(calls.slice(0, 5))).map(({ status }) => status))], [200]);
});
