// What every change has in common, tested with one valid request of each: pages of other sites can't send it, a dangerous one
// needs recent proof of who sends it, and it writes one audit row.
import assert from 'node:assert/strict';
import { API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { type AuditAction, findAuditAction } from '@steward/contract/audit/catalog';
import { AUDIT_DETAILS, fromStoredDetails } from '@steward/contract/audit/details';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending, send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { type Actor, createActor, createWorld, type World } from '#testing/authorization/actors.ts';
import {
  BEFORE_ANY_TEAM,
  DANGEROUS,
  findAllowedRow,
  prepareRequest,
  UNAUDITED,
} from '#testing/authorization/audited-changes.ts';
import { authenticated } from '#testing/sessions/sessions.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

type Endpoint = (typeof endpoints)[number];

let rig: HelpdeskApp;
let node: TestApp;

beforeAll(async () => {
  rig = await startHelpdeskApp();
  node = rig.node;
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

const FROM = '192.0.2.44';

const changing = endpoints.filter(({ method }) => method !== 'GET');
const names = new Set(changing.map(({ name }) => name));

function getTypeError({ accepts }: Endpoint): string {
  if (accepts === undefined) return 'request.not_json';
  return accepts === 'application/x-ndjson' ? 'request.not_ndjson' : 'request.not_image';
}

async function assertRefused(endpoint: Endpoint, request: Sending, forgery: Forgery): Promise<void> {
  const { body = {}, text, ...bare } = request;
  const reply = await call(node, endpoint, {
    ...bare,
    headers: { ...request.headers, host: 'steward.test', ...forgery.headers },
    ...(forgery.empty ? {} : text === undefined ? { body } : { text }),
  });
  assert.equal(reply.status, forgery.status, `${forgery.name}: ${reply.text}`);
  assert.equal(reply.body.id, forgery.status === 403 ? 'request.cross_site' : getTypeError(endpoint), forgery.name);
}

async function sendByGet(endpoint: Endpoint, { params, as }: Sending): Promise<void> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params?.[name] ?? name);
  const headers = { cookie: as?.cookie ?? '', 'x-http-method-override': endpoint.method };
  const { status } = await send(node, { method: 'GET', url: API_BASE + path, headers });
  const isCall = endpoints.some(({ method, path }) => method === 'GET' && path === endpoint.path);
  assert.ok([404, 405].includes(status) || isCall);
}

/** Sends the request and returns its audit rows. */
async function change(endpoint: Endpoint, request: Sending) {
  const reply = await call(node, endpoint, { ...request, from: FROM });
  assert.equal(reply.status, endpoint.success ?? 200, reply.text);
  const id = String(reply.headers['x-request-id']);
  return node.db.selectFrom('audit_events').selectAll().where('request_id', '=', id).execute();
}

/** The stored details have the current version of their action, and nothing that its schema does not name. */
function assertDetails(action: AuditAction, stored: Record<string, unknown>): void {
  const versions = AUDIT_DETAILS[action];
  const { version, details } = fromStoredDetails(stored);
  assert.equal(stored.v, versions.length, `${action} is not stored with its current version`);
  const parsed = versions[version - 1]?.safeParse(details);
  assert.equal(parsed?.success, true, `${action}: ${parsed?.error?.message ?? 'no schema'}`);
}

function assertAudited(endpoint: Endpoint, rows: Awaited<ReturnType<typeof change>>, teamId: string): void {
  assert.equal(rows.length, 1, `${endpoint.name} wrote ${rows.length} rows`);
  const [row = assert.fail()] = rows;
  const info = findAuditAction(row.action);
  assert.ok(info, `${row.action} is not in the catalog`);
  assertDetails(row.action as AuditAction, row.details);
  assert.equal(row.address, FROM);
  const isPersonal = info.personal === true || (row.action === 'session.reset_requested' && row.target === null);
  if (isPersonal) assert.equal(row.team_id, '');
  // A sign-up creates a team of its own.
  else if (row.action !== 'signup.finished') assert.equal(row.team_id, teamId);
}

for (const endpoint of changing) {
  const { name } = endpoint;
  const unaudited = UNAUDITED[name];

  describe(name, () => {
    let world: World;
    let sender: Actor;
    let request: Sending;

    /** Fails if `work` changes a table that is not one of `except`. */
    const assertUnchanged = async (work: () => Promise<void>, except: readonly string[] = []) => {
      const before = await sumTables(node, { except });
      await work();
      assert.deepEqual(await sumTables(node, { except }), before);
    };

    beforeAll(async () => {
      world = await createWorld(node);
      ({ me: sender, request } = await prepareRequest(name, world));
    });

    test('refuses everything that a foreign page can send, does nothing by GET, whatever the method override says, and changes nothing', () =>
      assertUnchanged(async () => {
        for (const forgery of FORGERIES) await assertRefused(endpoint, request, forgery);
        await sendByGet(endpoint, request);
      }));

    // The test of the set-up has the row of that call.
    if (BEFORE_ANY_TEAM.has(name)) return;
    const row = unaudited === undefined ? 'writes one audit row, with details of its schema' : 'writes no audit row';
    const late = 'if the sender proved eleven minutes ago who they are';
    const isDangerous = DANGEROUS.has(name);
    test(
      isDangerous ? `is refused and changes nothing ${late}, and after a new proof ${row}` : `${row}, also ${late}`,
      async () => {
        assert.ok(findAllowedRow(name), `no line of the authorization matrix lets an admin call ${name}`);
        await authenticated(node, sender, 11);
        if (isDangerous) {
          await assertUnchanged(async () => {
            const reply = await call(node, endpoint, request);
            assert.deepEqual([reply.status, reply.body.id], [403, 'session.reauth_required'], reply.text);
          }, TRACES);
          await authenticated(node, sender, 0);
        }
        const rows = await change(endpoint, request);
        if (unaudited === undefined) assertAudited(endpoint, rows, request.params?.teamId ?? world.teamId);
        else assert.deepEqual(rows, [], unaudited);
      },
    );
  });
}

describe('the lists of exceptions', () => {
  test('name calls that exist and that change something', () => {
    const excepted = [...Object.keys(UNAUDITED), ...DANGEROUS, ...BEFORE_ANY_TEAM];
    assert.deepEqual(
      excepted.filter((name) => !names.has(name)),
      [],
    );
  });
});

describe('the origin of a request', () => {
  let world: World;
  let owner: Actor;

  beforeAll(async () => {
    world = await createWorld(node);
    owner = await createActor(node, world, { name: 'an owner', column: 'TO' });
  });

  test('lets the portal itself through, and a client that names none', async () => {
    const saveUser = changing.find(({ name }) => name === 'saveUser') ?? assert.fail();
    for (const headers of [{ origin: 'http://steward.test', 'sec-fetch-site': 'same-origin' }, {}]) {
      const request = { as: owner, ...(await findAllowedRow('saveUser')?.send?.(world, owner)) };
      const reply = await call(node, saveUser, { ...request, headers });
      assert.equal(reply.status, 200, reply.text);
    }
  });

  test('lets no other one read an answer', async () => {
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
