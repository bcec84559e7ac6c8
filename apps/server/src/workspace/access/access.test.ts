import assert from 'node:assert/strict';
import { listEntries } from '@steward/contract/directory';
import { listUsers } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { demand } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers, type SignedInUser, signedIn, team } from '#testing/workspace/factories.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const LISTS = [listUsers, listEntries];

/** Both lists of an admin, who may read them. */
async function createAdmin(): Promise<{ teamId: string; admin: SignedInUser; statuses(): Promise<unknown[]> }> {
  const { id: teamId, admin } = await createTeamWithMembers(node);
  const statuses = async () => {
    const replies = await Promise.all(LISTS.map((list) => call(node, list, { as: admin, params: { teamId } })));
    for (const { status, body } of replies) assert.equal('records' in body, status === 200);
    return replies.map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.id}`));
  };
  assert.deepEqual(await statuses(), [200, 200]);
  return { teamId, admin, statuses };
}

describe('a list for admins', () => {
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
