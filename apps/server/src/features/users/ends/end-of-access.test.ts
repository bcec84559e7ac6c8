import assert from 'node:assert/strict';
import { login, resetPassword } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers } from '@steward/contract/users';
import { deactivateUser, type reactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { scim, scimToken, toPatch } from '#testing/peers/scim.ts';
import { ingest, serviceToken } from '#testing/workspace/content.ts';
import { setEnd } from '#testing/workspace/ends.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { listInvitations, lockInvitation, removeClosedInvitation } from '#workspace/users/memberships.store.ts';

// No job runs here: access ends by itself.

let node: TestApp;
let other: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6, work: false });
  other = await startApp({ beside: node, work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const canList = async (as: SignedInUser, on = node) =>
  (await call(on, listUsers, { as, params: { teamId: ours.id } })).status;
const act = (endpoint: typeof deactivateUser | typeof reactivateUser | typeof removeUser, userId: string) =>
  call(node, endpoint, { as: ours.owner, params: { teamId: ours.id, userId } });
const end = (userId: string, days?: number) => setEnd(node, { teamId: ours.id, userId }, days);
const import_ = (token: string) =>
  ingest(node, { teamId: ours.id, headers: { authorization: `Bearer ${token}` } }, [
    { kind: 'note', external_id: newId(), created_at: 1 },
  ]);
const listed = async (search: string) => {
  const query = { search, deactivated_accounts: '1' as const };
  return (await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query })).body.records[0];
};

describe('when the last day is over', () => {
  test('the next request on every node is refused, and on that day none is', async () => {
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await end(ada.id, 0);
    assert.deepEqual([await canList(ada), await canList(ada, other)], [200, 200]);
    await end(ada.id);
    assert.deepEqual([await canList(ada), await canList(ada, other)], [403, 403]);
    assert.equal((await listed(ada.email)).state, 'deactivated');
  });

  test('other teams of the account stay open', async () => {
    const theirs = await createTeamWithMembers(node);
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await join(node, theirs.id, ada.id, 'admin');
    await end(ada.id);
    const teams = await call(node, listTeams, { as: ada, params: { userId: ada.id } });
    assert.deepEqual(
      teams.body.map(({ id }: { id: string }) => id),
      [theirs.id],
    );
    const members = await call(node, listTeamMembers, { as: ada, params: { userId: ada.id } });
    assert.equal(members.body.length, 1);
  });

  test('nobody can sign in or set a new password', async () => {
    const ada = await user(node, { team: ours.id });
    const link = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: ada.id, teamId: null }));
    await end(ada.id);
    const signIn = await call(node, login, { body: { login_id: ada.email, password: ada.password } });
    assert.deepEqual([signIn.status, signIn.body.id], [403, 'session.deactivated']);
    const reset = await call(node, resetPassword, { body: { token: link, new_password: 'a new and long one' } });
    assert.deepEqual([reset.status, reset.body.id], [400, 'link.invalid']);
  });

  test('service tokens that the user created are refused', async () => {
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    const { token } = await serviceToken(node, ours.id, { createdBy: ada.id, kinds: ['note'] });
    await end(ada.id, 0);
    assert.equal((await import_(token)).status, 200);
    await end(ada.id);
    assert.equal((await import_(token)).status, 401);
  });

  test('an identity provider that says “active” changes nothing', async () => {
    const ada = await signedIn(node, { team: ours.id });
    const provisioner = await scimToken(node, ours.id, ours.owner.id);
    await end(ada.id);
    const patch = toPatch({ op: 'replace', path: 'active', value: true });
    const { status, body } = await scim(node, provisioner, `PATCH /Users/${ada.id}`, { body: patch });
    assert.deepEqual([status, body.active], [200, false]);
    assert.equal((await listed(ada.email)).state, 'deactivated');
    const { rows } = await sql<{ effect: string }>`select effect from scim_log where team_id = ${ours.id}
      order by id desc limit 1`.execute(node.db);
    assert.match(rows[0]?.effect ?? '', /is still deactivated: the last day of the membership is over/);
  });

  test('the end outlives a deactivation by the provider', async () => {
    const ada = await signedIn(node, { team: ours.id });
    const provisioner = await scimToken(node, ours.id, ours.owner.id);
    const set = (value: boolean) =>
      scim(node, provisioner, `PATCH /Users/${ada.id}`, { body: toPatch({ op: 'replace', path: 'active', value }) });
    await end(ada.id, 0);
    assert.equal((await set(false)).body.active, false);
    assert.equal((await set(true)).body.active, true);
    assert.equal((await set(false)).body.active, false);
    await end(ada.id);
    assert.equal((await set(true)).body.active, false);
  });

  test('an invitation is over too', async () => {
    const email = `${newId()}@example.test`;
    const { id } = await user(node, { team: ours.id, pending: true, email });
    await end(id, 0);
    assert.equal((await listInvitations(node.db, email)).length, 1);
    await end(id);
    assert.deepEqual(await listInvitations(node.db, email), []);
    assert.equal(await inTransaction(node.db, (trx) => lockInvitation(trx, ours.id, email)), undefined);
    await inTransaction(node.db, (trx) => removeClosedInvitation(trx, ours.id, email));
    assert.deepEqual((await sql`select 1 from memberships where email = ${email}`.execute(node.db)).rows, []);
  });
});

describe('before the job has stored the end', () => {
  test('removing the user ends their tokens', async () => {
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await serviceToken(node, ours.id, { createdBy: ada.id, kinds: ['note'] });
    await end(ada.id);
    const { body } = await act(removeUser, ada.id);
    assert.deepEqual([body.revoked, body.tokens], [1, 1]);
  });

  test('deactivating them changes nothing', async () => {
    const ada = await signedIn(node, { team: ours.id });
    await end(ada.id);
    const before = (await auditRows(node, 'users.deactivated')).length;
    assert.equal((await act(deactivateUser, ada.id)).body.revoked, 0);
    assert.equal((await auditRows(node, 'users.deactivated')).length, before);
  });
});
