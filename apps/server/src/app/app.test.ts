import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import {
  ACTORS,
  type Actor,
  createActor,
  createWorld,
  type MatrixRow,
  type World,
} from '#testing/authorization/actors.ts';
import { matrix } from '#testing/authorization/authorization-matrix.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';

const ALL_METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];
const SCIM_ROUTES = [
  ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'].map(
    (path) => `GET /${path}`,
  ),
  ...['Users', 'Groups'].flatMap((kind) => [
    ...[`GET /${kind}`, `POST /${kind}`, `POST /${kind}/.search`],
    ...['DELETE', 'GET', 'PATCH', 'PUT'].map((method) => `${method} /${kind}/:id`),
  ]),
  ...['POST /.search', 'POST /Bulk'],
  // The router prints `/*` so.
  ...['', '*', '/Me'].flatMap((path) => ALL_METHODS.map((method) => `${method} ${path}`)),
].map((route) => route.replace(' ', ' /scim/v2'));

/** Routes that are no calls of the contract, and why. */
const BESIDE_THE_CONTRACT: Record<string, string> = {
  'GET /healthz': 'liveness, says nothing else',
  'GET /.well-known/security.txt': 'where to report a vulnerability; 404 without SECURITY_CONTACT',
  'GET /readyz': 'readiness, says nothing else',
  'GET /metrics': 'for Prometheus on this machine, or with METRICS_TOKEN',
  'GET /api/v4/users/:userId/image': 'a picture, not JSON; users.test.ts says who may see it',
  'GET /api/v4/admin/teams/:teamId/users/:userId/export/:exportId/file':
    'a ZIP archive, not JSON; export.test.ts says who may have it',
  'GET /api/v4/admin/teams/:teamId/holds/:holdId/exports/:exportId/file':
    'a ZIP archive, not JSON; hold-export.test.ts says who may have it',
  'GET /api/v4/users/me/export/:exportId/file': 'a ZIP archive, not JSON; export.test.ts says who may have it',
  'GET /api/v4/files/:fileId': 'bytes, not JSON; download.test.ts says who may have them',
  'POST /api/v4/hooks/:provider/:pathKey': 'authentic deliveries of a service, no session; hook.test.ts says whose',
  'GET /auth/oidc/:connectionId/start': 'leads to an identity provider; attacks.test.ts says what comes back',
  'GET /auth/oidc/continue': 'checked by the cookie of an arrived sign-in; session-bound.test.ts says when it asks',
  'GET /auth/oidc/:connectionId/callback': 'checked by the cookie of the sign-in; attacks.test.ts says how',
  'POST /auth/oidc/:connectionId/logout': 'signed by the identity provider, no session; logout.test.ts says how',
  ...Object.fromEntries(
    SCIM_ROUTES.map((route) => [route, 'SCIM has a form of its own; features/scim says who may call']),
  ),
  'GET /api/v4/openapi.json': 'describes the contract',
  'GET /api/v4/docs': 'describes the contract',
  'GET /api/v4/docs/style.css': 'part of that page',
  'GET /dev/mail': 'only embedded, without SMTP, on this machine',
  'GET /dev/mail.json': 'as /dev/mail',
  'GET /dev/mail.css': 'as /dev/mail',
  'GET *': 'the screens of the portal',
};

let rig: HelpdeskApp;
let node: TestApp;
let world: World;
const portalDirectory = mkdtempSync(join(tmpdir(), 'steward-portal-'));

beforeAll(async () => {
  writeFileSync(join(portalDirectory, 'index.html'), '<!doctype html><title>__PRODUCT_NAME__</title>');
  writeFileSync(join(portalDirectory, '.route-files.json'), '[]');
  rig = await startHelpdeskApp({ portalDirectory });
  node = rig.node;
  world = await createWorld(node);
});

afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  rmSync(portalDirectory, { recursive: true });
});

describe('conformance', () => {
  test('every call of the contract is served once, and every other route has a reason', () => {
    const promised = endpoints.map((endpoint) => `${endpoint.method} ${API_BASE}${endpoint.path}`);
    assert.deepEqual(listRoutes(node.app), [...promised, ...Object.keys(BESIDE_THE_CONTRACT)].sort());
    assert.equal(new Set(endpoints.map((endpoint) => endpoint.name)).size, endpoints.length);
  });

  test('every call of the contract has its line in the authorization matrix', () => {
    assert.deepEqual(Object.keys(matrix).sort(), endpoints.map((endpoint) => endpoint.name).sort());
  });
});

/** Calls that read or are refused change nothing of who sends them, so they share an actor of each kind. */
const lastingActors = new Map<string, Promise<Actor>>();

/** On a slow machine, the matrix takes longer than the ten minutes for which a proof of identity is recent. */
async function createLastingActor(who: (typeof ACTORS)[number]): Promise<Actor> {
  const actor = await createActor(node, world, who);
  await sql`update sessions set auth_at = now() + interval '1 day' where person_id = ${actor.id}`.execute(node.db);
  return actor;
}

function findLastingActor(who: (typeof ACTORS)[number]): Promise<Actor> {
  const actor = lastingActors.get(who.name) ?? createLastingActor(who);
  lastingActors.set(who.name, actor);
  return actor;
}

/** Prepares the request once for all actors, unless it contains something of theirs. */
function prepareOnce({ send }: MatrixRow): (me: Actor) => Promise<Sending | undefined> {
  let shared: Sending | undefined;
  return async (me) => {
    if (shared) return shared;
    let isTheirs = false;
    const get = (actor: Actor, key: keyof Actor) => {
      isTheirs = true;
      return actor[key];
    };
    const sending = await send?.(world, new Proxy(me, { get }));
    if (!isTheirs) shared = sending;
    return sending;
  };
}

describe('authorization matrix', () => {
  for (const endpoint of endpoints) {
    for (const row of matrix[endpoint.name] ?? []) {
      // Tests in a random order stay within their row: rows differ in what the team allows.
      describe(`${endpoint.name}${row.about ? ` ${row.about}` : ''}`, () => {
        const prepare = prepareOnce(row);
        for (const who of ACTORS) {
          const expected = row.expected[who.column];
          const isChange = endpoint.method !== 'GET' && expected < 400;
          test(`answers ${who.name} with ${expected}`, async () => {
            const me = await (isChange ? createActor(node, world, who) : findLastingActor(who));
            const sending = await (isChange ? row.send?.(world, me) : prepare(me));
            const reply = await call(node, endpoint, { as: me, ...sending });
            assert.equal(reply.status, expected, reply.text);
            if (expected >= 400) assert.equal(ErrorBody.parse(reply.body).status_code, expected);
          });
        }
      });
    }
  }
});

/** Every route of the app, as `METHOD /path`, without HEAD. */
function listRoutes(app: FastifyInstance): string[] {
  const above: string[] = [];
  const found: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const [, indent = '', part = '', methods = ''] = match;
    const depth = indent.length / 4;
    above[depth] = part;
    const path = above.slice(0, depth + 1).join('');
    for (const method of methods.split(', ')) if (method !== '' && method !== 'HEAD') found.push(`${method} ${path}`);
  }
  return found.sort();
}
