import assert from 'node:assert/strict';
import { API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending, send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { type Actor, createActor, createWorld, type World } from '#testing/authorization/actors.ts';
import { findAllowedRow } from '#testing/authorization/audited-changes.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let rig: HelpdeskApp;
let node: TestApp;
let world: World;
let owner: Actor;

beforeAll(async () => {
  rig = await startHelpdeskApp();
  node = rig.node;
  world = await createWorld(node);
  owner = await createActor(node, world, { name: 'an owner', column: 'TO' });
});

afterAll(() => rig[Symbol.asyncDispose]());

/** A request that a page of another site can make a browser send without a preflight, and the expected response. */
interface Forgery {
  name: string;
  headers: Record<string, string>;
  empty?: true;
  status: number;
}

const FORGERIES: Forgery[] = [
  { name: 'a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
  { name: 'a text body', headers: { 'content-type': 'text/plain' }, status: 415 },
  { name: 'a text type without a body', headers: { 'content-type': 'text/plain' }, empty: true, status: 415 },
  { name: 'a multipart form', headers: { 'content-type': 'multipart/form-data; boundary=x' }, status: 415 },
  { name: 'JSON named after text', headers: { 'content-type': 'text/plain; application/json' }, status: 415 },
  { name: 'an Origin of another site', headers: { origin: 'https://evil.example' }, status: 403 },
  { name: 'an Origin of another port', headers: { origin: 'http://steward.test:8080' }, status: 403 },
  { name: 'an Origin of another scheme', headers: { origin: 'https://steward.test' }, status: 403 },
  {
    name: 'an Origin of its own Host header',
    headers: { origin: 'http://rebound.test', host: 'rebound.test' },
    status: 403,
  },
  { name: 'a loopback Origin', headers: { origin: 'http://localhost:5173', host: 'localhost:5173' }, status: 403 },
  { name: 'an opaque Origin', headers: { origin: 'null' }, status: 403 },
  { name: 'Sec-Fetch-Site: cross-site', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { name: 'Sec-Fetch-Site: same-site', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
];

const changing = endpoints.filter((endpoint) => endpoint.method !== 'GET');

function getTypeError({ accepts }: (typeof endpoints)[number]): string {
  if (accepts === undefined) return 'request.not_json';
  return accepts === 'application/x-ndjson' ? 'request.not_ndjson' : 'request.not_image';
}

async function rightSending(name: string): Promise<Sending> {
  const row = findAllowedRow(name);
  return { as: owner, ...(await row?.send?.(world, owner)) };
}

async function refuses(endpoint: (typeof endpoints)[number], sent: { right: Sending; forgery: Forgery }) {
  const { right, forgery } = sent;
  const { body = {}, text, ...bare } = right;
  const reply = await call(node, endpoint, {
    ...bare,
    headers: { ...right.headers, host: 'steward.test', ...forgery.headers },
    ...(forgery.empty ? {} : text === undefined ? { body } : { text }),
  });
  assert.equal(reply.status, forgery.status, `${forgery.name}: ${reply.text}`);
  assert.equal(reply.body.id, forgery.status === 403 ? 'request.cross_site' : getTypeError(endpoint), forgery.name);
}

describe('requests that a foreign page can make', () => {
  for (const endpoint of changing) {
    test(`${endpoint.name} refuses all of them and changes nothing`, async () => {
      const right = await rightSending(endpoint.name);
      const before = await snapshotTables(node);
      for (const forgery of FORGERIES) await refuses(endpoint, { right, forgery });
      assert.deepEqual(await snapshotTables(node), before);
    });

    test(`${endpoint.name} does nothing by GET, whatever the method override says`, async () => {
      const right = await rightSending(endpoint.name);
      const before = await snapshotTables(node, { except: ['presence'] });
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => right.params?.[name] ?? name);
      const headers = { cookie: owner.cookie, 'x-http-method-override': endpoint.method };
      const reply = await send(node, { method: 'GET', url: API_BASE + path, headers });
      assert.ok(
        [404, 405].includes(reply.status) ||
          endpoints.some(({ method, path }) => method === 'GET' && path === endpoint.path),
      );
      assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
    });
  }

  test('the portal itself is let through, and so is a client that names no origin', async () => {
    const saveUser = changing.find(({ name }) => name === 'saveUser');
    assert.ok(saveUser);
    for (const headers of [{ origin: 'http://steward.test', 'sec-fetch-site': 'same-origin' }, {}]) {
      const reply = await call(node, saveUser, { ...(await rightSending('saveUser')), headers });
      assert.equal(reply.status, 200, reply.text);
    }
  });

  test('no answer lets another origin read it', async () => {
    const headers = { origin: 'https://evil.example', cookie: owner.cookie };
    for (const method of ['GET', 'OPTIONS'] as const) {
      const reply = await send(node, { method, url: `${API_BASE}/users/me`, headers });
      assert.deepEqual(
        Object.keys(reply.headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
    }
  });
});
