// A request can be held after its headers: the guard has let it pass, and its sender finishes the body when their right has ended.
import assert from 'node:assert/strict';
import { endpoints } from '@steward/contract/api/endpoints';
import { revokeSessions } from '@steward/contract/users';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { holdRequest } from '#testing/app/held-request.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type Actor, createActor, createWorld } from '#testing/authorization/actors.ts';
import {
  buildChangeRequest,
  DANGEROUS,
  findAllowedRow,
  getAllowedActor,
} from '#testing/authorization/audited-changes.ts';
import { createOpenBodies } from '#testing/faults/open-bodies.ts';
import { authenticated } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';
import { saveRoles } from '#workspace/users/memberships.store.ts';

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
const OPEN = new Set(Object.keys(createOpenBodies({ email: '', password: '' })));

/** Every call that needs a session or a token, by any method but GET. */
const guarded = endpoints.filter(({ method, name }) => {
  const row = findAllowedRow(name);
  return method !== 'GET' && row !== undefined && !OPEN.has(name) && (row.expected.OUT >= 400 || byToken(name));
});
const forAdmins = guarded.filter(({ name }) => (findAllowedRow(name)?.expected.TU ?? 0) >= 400);

/** Ends a right of the caller while their request is held, and returns the response and what changed in the tables. */
async function holdWhile(endpoint: Endpoint, endRight: (of: { teamId: string; me: Actor }) => Promise<unknown>) {
  const world = await createWorld(node);
  const me = await createActor(node, world, getAllowedActor(endpoint.name));
  const request = await buildChangeRequest(endpoint.name, world, me);
  assert.ok(request, `the authorization matrix has no request for ${endpoint.name}`);
  const held = await holdRequest(node, endpoint, request);
  await endRight({ teamId: world.teamId, me });
  const before = await snapshotTables(node, { except: TRACES });
  const { status, text } = await held.finish();
  assert.deepEqual(await snapshotTables(node, { except: TRACES }), before);
  return { status, id: /"id":"([^"]+)"/.exec(text)?.[1] };
}

describe('a call whose body arrives after its caller', () => {
  for (const endpoint of guarded)
    test(`was signed out is refused and changes nothing: ${endpoint.name}`, async () => {
      const { status, id } = await holdWhile(endpoint, ({ teamId, me }) =>
        inTransaction(node.db, async (trx) => {
          await removeUserSessions(trx, me.id);
          await trx.deleteFrom('service_tokens').where('team_id', '=', teamId).execute();
        }),
      );
      assert.deepEqual([status, id], [401, byToken(endpoint.name) ? 'token.required' : 'session.required']);
    });

  for (const endpoint of forAdmins)
    test(`was demoted is refused and changes nothing: ${endpoint.name}`, async () => {
      const isForOwners = (findAllowedRow(endpoint.name)?.expected.TA ?? 0) >= 400;
      const roles = isForOwners ? ['team_user', 'team_admin'] : ['team_user'];
      const { status, id } = await holdWhile(endpoint, ({ teamId, me }) =>
        inTransaction(node.db, (trx) => saveRoles(trx, { teamId, userId: me.id, roles })),
      );
      assert.deepEqual([status, id], [403, isForOwners ? 'team.owner_required' : 'team.admin_required']);
    });

  for (const endpoint of guarded.filter(({ name }) => DANGEROUS.has(name)))
    test(`last proved their identity too long ago is refused and changes nothing: ${endpoint.name}`, async () => {
      const { status, id } = await holdWhile(endpoint, ({ me }) => authenticated(node, me, 11));
      assert.deepEqual([status, id], [403, 'session.reauth_required']);
    });

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
