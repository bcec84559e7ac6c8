// No call, with any body up to its limit, keeps the server from answering others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { DELIVERY_MAX, PICTURE_MAX, SCIM_BODY_MAX } from '@steward/contract/api/limits';
import { SCIM_BASE } from '@steward/contract/scim';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { callAt, type Sending } from '#testing/app/call.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createActor, createWorld, type World } from '#testing/authorization/actors.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { FILLERS, listRawBodies, listWorstBodies, listWorstQueries } from '#testing/faults/worst-bodies.ts';
import { encodePng, paint } from '#testing/images/images.ts';
import { buildGroup, buildUser, scimToken, toPatch } from '#testing/peers/scim.ts';
import { serviceToken } from '#testing/workspace/content.ts';

/** Longest time without an answer of /healthz on a quiet machine that runs the loop in 100 ms, in milliseconds. */
const STALL_MS = 500;
const LOOP_MS = 100;
const BODY_MAX = 1024 * 1024;
/** Another program may stop the server for a while; a slow call is slow each time. */
const TRIES = 3;

let node: TestApp;
let server: KillableServer;
let sampler: Worker;
let url: string;
let limitMs: number;

beforeAll(async () => {
  node = await startApp({ work: false });
  server = killableServer(node, { env: { PUBLIC_URL: 'http://127.0.0.1', LIMITS: 'off' } });
  url = await server.start();
  sampler = new Worker(new URL('../../../testing/faults/health-sampler.ts', import.meta.url), { workerData: url });
  limitMs = STALL_MS * Math.max(1, timeLoop() / LOOP_MS);
});
afterAll(async () => {
  await sampler.terminate();
  server[Symbol.dispose]();
  await node[Symbol.asyncDispose]();
});

function timeLoop(): number {
  const start = performance.now();
  let sum = 0;
  for (let i = 0; i < 100_000_000; i += 1) sum = (sum + i * 31) | 0;
  assert.notEqual(sum, 1);
  return performance.now() - start;
}

/** The longest time that /healthz took since the last question. */
async function readStall(): Promise<number> {
  sampler.postMessage('read');
  const [longest] = (await once(sampler, 'message')) as [number];
  return longest;
}

async function measureStall(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && least > limitMs; i += 1) {
    await readStall();
    await work();
    least = Math.min(least, await readStall());
  }
  return least;
}

/** Sends each request and fails with those that stopped the server for too long. */
async function expectNoStall(requests: Record<string, () => Promise<unknown>>): Promise<void> {
  const slow: string[] = [];
  for (const [name, request] of Object.entries(requests)) {
    const stall = await measureStall(request);
    if (stall > limitMs) slow.push(`${name}: ${Math.round(stall)} ms`);
    if (process.env.SHOW_STALLS && stall > 50) console.log(`${Math.round(stall)} ms ${name}`);
  }
  assert.deepEqual(slow, [], `limit ${Math.round(limitMs)} ms`);
}

async function listRequests(world: World, endpoint: AnyEndpoint): Promise<Record<string, () => Promise<unknown>>> {
  const { request } = await prepareRequest(endpoint.name, world);
  const send = (more: Sending) => () => callAt(url, endpoint, { ...request, ...more });
  const requests: Record<string, () => Promise<unknown>> = {};
  if (endpoint.query)
    for (const [name, query] of Object.entries(listWorstQueries(endpoint.query, request.query ?? {})))
      requests[`query: ${name}`] = send({ query });
  if (endpoint.method === 'GET' || endpoint.accepts) return requests;
  const bytes = endpoint.bodyLimit ?? BODY_MAX;
  const typed = endpoint.body === undefined ? {} : listWorstBodies(endpoint.body, request.body, bytes);
  const bodies: Record<string, string> = { ...listRawBodies(bytes), ...typed };
  for (const [name, text] of Object.entries(bodies))
    requests[name] = send({ text, headers: { 'content-type': 'application/json' } });
  return requests;
}

describe('the worst bodies don’t stop the server', () => {
  for (const endpoint of endpoints)
    test(`of ${endpoint.name}`, async () => expectNoStall(await listRequests(await createWorld(node), endpoint)));

  test('of the content import', async () => {
    const world = await createWorld(node);
    const { token, teamId } = await serviceToken(node, world.teamId);
    const note = (at: number, text: string) =>
      JSON.stringify({ kind: 'note', external_id: `${at}`, created_at: 1, updated_at: 1, text });
    const bodies: Record<string, string> = {
      'one line': 'x'.repeat(8_000_000),
      'empty lines': '\n'.repeat(4_000_000),
      'short lines': '0\n'.repeat(1_000_000),
      'quotes that aren’t closed': `${'{"a\n'.repeat(800_000)}`,
      'deep lists': `${'['.repeat(500_000)}\n`.repeat(8),
      ...Object.fromEntries(
        Object.entries(FILLERS).map(([name, filler]) => [
          name,
          Array.from({ length: 200 }, (_, at) => note(at, filler(20_000))).join('\n'),
        ]),
      ),
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const post = (body: string) => () =>
      fetch(`${url}${API_BASE}/teams/${teamId}/content`, { method: 'POST', headers, body }).then((reply) =>
        reply.text(),
      );
    await expectNoStall(Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, post(body)])));
  });

  test('of pictures', async () => {
    const { cookie } = await createActor(node, await createWorld(node), { name: 'an owner', column: 'TO' });
    const one = encodePng(
      paint(1, 1, () => [0, 0, 0]),
      { width: 6_000, height: 6_000 },
    );
    const pictures = {
      'many pixels': encodePng(paint(6_300, 6_300, () => [0, 0, 0])),
      'fewer pixels than claimed': one,
      'no end': Buffer.concat([one.subarray(0, 40), Buffer.alloc(PICTURE_MAX - 100)]),
    };
    const put = (body: Buffer) => () =>
      fetch(`${url}${API_BASE}/users/me/picture`, {
        method: 'PUT',
        headers: { cookie, 'content-type': 'image/png' },
        body: new Uint8Array(body),
      }).then((reply) => reply.text());
    await expectNoStall(Object.fromEntries(Object.entries(pictures).map(([name, body]) => [name, put(body)])));
  });

  test('of provisioning', async () => {
    const world = await createWorld(node);
    const { id: ownerId } = await createActor(node, world, { name: 'an owner', column: 'TO' });
    const { token } = await scimToken(node, world.teamId, ownerId);
    const ids = Array.from({ length: 20_000 }, () => FILLERS.ids?.(26) ?? '');
    const operation = (path: string) => ({ op: 'replace', path, value: 'x' });
    const bodies: [string, string, object | string][] = [
      ['POST', '/Groups', buildGroup('Everyone', ids)],
      [
        'POST',
        '/Groups',
        buildGroup(
          'Twice',
          ids.map(() => world.member.id),
        ),
      ],
      [
        'PATCH',
        `/Users/${world.member.id}`,
        toPatch(...Array.from({ length: 20_000 }, () => operation('name.givenName'))),
      ],
      ['PATCH', `/Users/${world.member.id}`, toPatch(operation(`emails[${'('.repeat(100_000)}`))],
      ['PATCH', `/Users/${world.member.id}`, toPatch(operation(`emails[type eq "${'x'.repeat(500_000)}`))],
      ...Object.values(FILLERS).map((filler): [string, string, object] => [
        ...(['POST', '/Users'] as const),
        buildUser(filler(100_000), { displayName: filler(100_000), externalId: filler(100_000) }),
      ]),
      ...Object.values(listRawBodies(SCIM_BODY_MAX)).map((text): [string, string, string] => ['POST', '/Users', text]),
      ...Object.values(FILLERS).map((filler): [string, string, object] => [
        ...(['POST', '/Users/.search'] as const),
        { filter: filler(500_000) },
      ]),
      ['POST', '/Users/.search', { filter: 'not ('.repeat(100_000) }],
      ['POST', '/Users/.search', { filter: Array.from({ length: 50_000 }, () => 'userName eq "a"').join(' or ') }],
    ];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const requests = bodies.map(([method, path, body], at) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const send = () =>
        fetch(`${url}${SCIM_BASE}${path}`, { method, headers, body: text }).then((reply) => reply.text());
      return [`${at} ${method} ${path} ${text.slice(0, 80)}`, send] as const;
    });
    await expectNoStall(Object.fromEntries(requests));
  });

  test('of calls without a session that aren’t in the contract', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const id = FILLERS.ids?.(26);
    const post =
      (path: string, body: string, headers = form) =>
      () =>
        fetch(`${url}${path}`, { method: 'POST', headers, body }).then((reply) => reply.text());
    const requests: Record<string, () => Promise<unknown>> = {
      'a logout with many fields': post(`/auth/oidc/${id}/logout`, 'a=&'.repeat(16_000)),
      'a logout with a long token': post(`/auth/oidc/${id}/logout`, `logout_token=${'a.'.repeat(30_000)}`),
      'a long callback': () => fetch(`${url}/auth/oidc/${id}/callback?${'code=x&'.repeat(1_500)}`),
      'a delivery': post(`/api/v4/hooks/zendesk/${id}`, 'x'.repeat(DELIVERY_MAX)),
    };
    await expectNoStall(requests);
  });
});
