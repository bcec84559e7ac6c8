import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { revokeSessions } from '@steward/contract/users';
import type { Role } from '@steward/contract/users/roles';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, toRequest } from '#testing/app/call.ts';
import { rawClient } from '#testing/app/raw-http.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type Actor, createWorld } from '#testing/authorization/actors.ts';
import { DANGEROUS, findAllowedRow, prepareRequest } from '#testing/authorization/audited-changes.ts';
import { authenticated } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers, ROLES } from '#testing/workspace/factories.ts';
import { sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';
import { saveRoles } from '#workspace/users/memberships.store.ts';

// A request can be held after its headers: the guard has let it pass, and its sender finishes the body when their right has ended.

let simulator: HelpdeskSimulator;
let node: TestApp;

beforeAll(async () => {
  simulator = await startHelpdeskSimulator({ speed: 0 });
  node = await startApp({ work: false, listen: true, env: { HELPDESK_URL: simulator.template } });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await simulator[Symbol.asyncDispose]();
});

type Endpoint = (typeof endpoints)[number];

const byToken = (name: string) => name === 'addContent';
/** Calls that need no session, but are refused with wrong credentials. */
const SIGN_INS = new Set(['login', 'loginWithPasskey']);

/** Every call that needs a session or a token, by any method but GET. */
const guarded = endpoints.filter(({ method, name }) => {
  const row = findAllowedRow(name);
  return method !== 'GET' && row !== undefined && !SIGN_INS.has(name) && (row.expected.OUT >= 400 || byToken(name));
});

interface Sender {
  teamId: string;
  me: Actor;
}

/** A right that ends while a request is held, the expected response, and how the sender gets the right back. */
interface End {
  name: string;
  end: (of: Sender) => Promise<unknown>;
  expected: [status: number, id: string];
  restore?: (of: Sender) => Promise<unknown>;
}

function setRoles(roles: Role[]): End['end'] {
  return ({ teamId, me }) => inTransaction(node.db, (trx) => saveRoles(trx, { teamId, userId: me.id, roles }));
}

/** The ends that concern a call. The last is final. */
function listEnds({ name }: Endpoint): End[] {
  const { TU = 0, TA = 0 } = findAllowedRow(name)?.expected ?? {};
  const isForOwners = TA >= 400;
  const late: End = {
    name: 'last proved their identity too long ago',
    end: ({ me }) => authenticated(node, me, 11),
    expected: [403, 'session.reauth_required'],
    restore: ({ me }) => authenticated(node, me, 0),
  };
  const demoted: End = {
    name: 'was demoted',
    end: setRoles(isForOwners ? ['team_user', 'team_admin'] : ['team_user']),
    expected: [403, isForOwners ? 'team.owner_required' : 'team.admin_required'],
    restore: setRoles([...ROLES[isForOwners ? 'owner' : 'admin']]),
  };
  const signedOut: End = {
    name: 'was signed out',
    end: ({ teamId, me }) =>
      inTransaction(node.db, async (trx) => {
        await removeUserSessions(trx, me.id);
        await trx.deleteFrom('service_tokens').where('team_id', '=', teamId).execute();
      }),
    expected: [401, byToken(name) ? 'token.required' : 'session.required'],
  };
  return [...(DANGEROUS.has(name) ? [late] : []), ...(TU >= 400 ? [demoted] : []), signedOut];
}

describe('a call whose body arrives after its caller', () => {
  for (const endpoint of guarded) {
    const ends = listEnds(endpoint);
    test(`${ends.map(({ name }) => name).join(', or ')} is refused and changes nothing: ${endpoint.name}`, async () => {
      const world = await createWorld(node);
      const { me, request } = await prepareRequest(endpoint.name, world);
      const sender = { teamId: world.teamId, me };
      for (const { name, end, expected, restore } of ends) {
        const held = await holdRequest(node, endpoint, request);
        await end(sender);
        const before = await sumTables(node, { except: TRACES });
        const { status, text } = await held.finish();
        assert.deepEqual(await sumTables(node, { except: TRACES }), before, name);
        assert.deepEqual([status, /"id":"([^"]+)"/.exec(text)?.[1]], expected, name);
        await restore?.(sender);
      }
    });
  }

  test('was signed out is refused the stored response of its Idempotency-Key', async () => {
    const { id: teamId, admin, member } = await createTeamWithMembers(node);
    const sending = {
      as: admin,
      params: { teamId, userId: member.id },
      headers: { 'idempotency-key': newId() },
      body: {},
    };
    assert.equal((await call(node, revokeSessions, sending)).status, 200);
    const held = await holdRequest(node, revokeSessions, sending);
    await inTransaction(node.db, (trx) => removeUserSessions(trx, admin.id));
    const { status, text } = await held.finish();
    assert.equal(status, 401);
    assert.doesNotMatch(text, /revoked/);
  });
});

interface HeldRequest {
  /** Sends the rest of the body, and returns the response. */
  finish(): Promise<{ status: number; text: string }>;
}

/**
 * Sends the headers of a request and the first byte of its body, and returns when the guard has let it pass: the server has
 * started to read the body. A call without a body gets an empty object. The server must listen.
 */
async function holdRequest(node: TestApp, endpoint: AnyEndpoint, sending: Sending): Promise<HeldRequest> {
  const { path, headers, body = '{}' } = toRequest(endpoint, sending);
  const [bytes, query] = [Buffer.from(body), new URLSearchParams(sending.query ?? {})];
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = rawClient(node.url);
  const isRead = bodyRead(node);
  client.socket.write(`${endpoint.method} ${API_BASE}${path}?${query} HTTP/1.1\r\n${lines.join('')}\r\n`);
  client.socket.write(bytes.subarray(0, 1));
  await Promise.race([
    isRead,
    client.answered().then((text) => Promise.reject(new Error(`answered before the body was read: ${text}`))),
  ]);
  return {
    async finish() {
      client.socket.write(bytes.subarray(1));
      const text = await client.answered();
      client.socket.destroy();
      return { status: client.statuses()[0] ?? 0, text };
    },
  };
}

/** Resolves when the server starts to read the body of the next request. */
function bodyRead({ app }: TestApp): Promise<void> {
  return new Promise((resolve) => {
    app.server.once('request', (request: IncomingMessage) => {
      request.on('newListener', (event) => {
        if (event === 'data' || event === 'readable') resolve();
      });
    });
  });
}
