import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listEntries } from '@steward/contract/directory';
import { listUsers } from '@steward/contract/users';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { createStatement } from '#platform/database/statements/statement.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { demand } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers, type SignedInPerson, signedIn, team } from '#testing/workspace/factories.ts';
import { sessionLimits } from '#workspace/sessions/sessions.store.ts';
import { createSessionReader } from './session-reader.ts';

let node: TestApp;

before(async () => {
  node = await startApp({ work: false });
});

after(() => node[Symbol.asyncDispose]());

const LISTS = [listUsers, listEntries];

/** Both lists of an admin who was let through often enough that pages are read together with the session. */
async function createAdmin(): Promise<{ teamId: string; admin: SignedInPerson; statuses(): Promise<unknown[]> }> {
  const { id: teamId, admin } = await createTeamWithMembers(node);
  const statuses = async () => {
    const replies = await Promise.all(LISTS.map((list) => call(node, list, { as: admin, params: { teamId } })));
    for (const { status, body } of replies) assert.equal('records' in body, status === 200);
    return replies.map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.id}`));
  };
  for (let time = 0; time < 3; time += 1) assert.deepEqual(await statuses(), [200, 200]);
  return { teamId, admin, statuses };
}

describe('a list that is read together with the session', () => {
  test('is refused to the very next call after the session ended', async () => {
    const { admin, statuses } = await createAdmin();
    await sql`delete from sessions where person_id = ${admin.id}`.execute(node.db);
    assert.deepEqual(await statuses(), ['401 session.required', '401 session.required']);
  });

  test('is refused to the very next call after the role was taken, or the membership', async () => {
    const { teamId, admin, statuses } = await createAdmin();
    const set = (roles: string, deactivated: boolean) =>
      sql`update memberships set roles = ${roles}::text[], deactivated = ${deactivated},
        deactivated_at = case when ${deactivated} then 1 end where team_id = ${teamId} and person_id = ${admin.id}`.execute(
        node.db,
      );
    await set('{}', false);
    assert.deepEqual(await statuses(), ['403 team.admin_required', '403 team.admin_required']);
    await set('{team_admin}', false);
    assert.deepEqual(await statuses(), [200, 200]);
    await set('{team_admin}', true);
    assert.deepEqual(await statuses(), ['403 team.admin_required', '403 team.admin_required']);
  });

  test('is refused to the very next call after the team restricts its networks', async () => {
    const { teamId, statuses } = await createAdmin();
    await demand(node, teamId, { networks: ['203.0.113.0/24'] });
    assert.deepEqual(await statuses(), ['403 security.network', '403 security.network']);
  });

  test('is that of the team in the path: another one is refused', async () => {
    const { admin } = await createAdmin();
    const params = { teamId: await team(node) };
    for (const list of LISTS) assert.equal((await call(node, list, { as: admin, params })).status, 403);
  });

  test('has the rows that were committed before the call', async () => {
    const { teamId, admin } = await createAdmin();
    const { id } = await signedIn(node, { team: teamId });
    const { body } = await call(node, listUsers, { as: admin, params: { teamId } });
    assert.ok(body.records.some((row: { id: string }) => row.id === id));
  });

  test('reports a wrong cursor only to those who may see the list', async () => {
    const { teamId, admin } = await createAdmin();
    const stranger = await signedIn(node, { team: await team(node) });
    const query = { last_key: 'x.y' };
    for (const list of LISTS) {
      assert.equal((await call(node, list, { as: admin, params: { teamId }, query })).status, 400);
      assert.equal((await call(node, list, { as: stranger, params: { teamId }, query })).status, 403);
      assert.equal((await call(node, list, { params: { teamId }, query })).status, 401);
    }
  });
});

test('a page is read for a caller only after the guard let them through', async () => {
  const { id: teamId, admin } = await createTeamWithMembers(node);
  const reader = createSessionReader(node.deps);
  const search = { tokenHash: hashToken(admin.token), teamId, limits: sessionLimits(node.deps.env) };
  const statement = createStatement((_: object) => sql`select 1 as one`).bindValues({});
  const readsPage = async (given = search) => {
    const early = { statement, rows: undefined, plan: undefined };
    await reader.find({ early } as unknown as FastifyRequest, given);
    return early.rows !== undefined;
  };
  assert.equal(await readsPage(), false);
  reader.admit(search);
  assert.equal(await readsPage(), true);
  assert.equal(await readsPage({ ...search, tokenHash: hashToken('another') }), false);
  assert.equal(await readsPage({ ...search, teamId: '' }), false);
  reader.forget(search);
  assert.equal(await readsPage(), false);
});
