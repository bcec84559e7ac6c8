import assert from 'node:assert/strict';
import {
  addToken,
  getTokenPolicy,
  listTokens,
  removeToken,
  saveTokenPolicy,
  type Token,
  toTokenExpiry,
} from '@steward/contract/tokens';
import { deactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { ingest } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type SignedInUser, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const add = (body: object = {}, as = team.owner, teamId = team.id) =>
  call(node, addToken, { as, params: { teamId }, body: { name: 'Chat', ...body } });
const remove = (tokenId: string, as = team.owner) =>
  call(node, removeToken, { as, params: { teamId: team.id, tokenId } });
const savePolicy = (admins_may_create: unknown, as = team.owner) =>
  call(node, saveTokenPolicy, { as, params: { teamId: team.id }, body: { admins_may_create } });
const find = async (id: string): Promise<Token | undefined> =>
  (await call(node, listTokens, { as: team.owner, params: { teamId: team.id } })).body.records.find(
    (token: Token) => token.id === id,
  );
const importWith = async ({ token }: { token: string }) =>
  (
    await ingest(node, { teamId: team.id, headers: { authorization: `Bearer ${token}` } }, [
      { kind: 'note', external_id: newId(), created_at: 1 },
    ])
  ).status;
const age = (id: string, interval: string) =>
  sql`update service_tokens set expires_at = expires_at - ${sql.lit(interval)}::interval where id = ${id}`.execute(
    node.db,
  );

describe('who may create and remove tokens', () => {
  test('owners, and admins only while an owner allows it', async () => {
    const { id } = (await add()).body;
    const before = await snapshotTables(node);
    for (const reply of [await add({}, team.admin), await remove(id, team.admin)])
      assert.deepEqual([reply.status, reply.body.id], [403, 'team.owner_required']);
    assert.deepEqual(await snapshotTables(node), before);
    assert.deepEqual((await savePolicy(true)).body, { admins_may_create: true });
    const theirs = await add({}, team.admin);
    assert.equal(theirs.body.created_by, team.admin.id);
    assert.equal((await remove(id, team.admin)).status, 200);
    assert.equal((await savePolicy(false)).status, 200);
    assert.equal((await remove(theirs.body.id, team.admin)).status, 403);
    assert.equal(await importWith(theirs.body), 200, 'existing tokens stay valid');
  });

  test('saved again writes no audit row', async () => {
    const get = (as: SignedInUser) => call(node, getTokenPolicy, { as, params: { teamId: team.id } });
    assert.deepEqual((await get(team.owner)).body, { admins_may_create: false });
    const audits = async () => (await auditRows(node, 'tokens.policy_saved')).length;
    const count = await audits();
    for (const _ of ['once', 'and again']) await savePolicy(true);
    assert.equal(await audits(), count + 1);
    assert.deepEqual((await get(team.owner)).body, { admins_may_create: true });
    for (const wrong of [undefined, null, 1, 'true']) assert.equal((await savePolicy(wrong)).status, 400);
    await savePolicy(false);
  });
});

describe('a token stops', () => {
  const userOf = (userId: string) => ({ as: team.owner, params: { teamId: team.id, userId } });
  const demote = (userId: string) => call(node, setOwner, { ...userOf(userId), body: { owner: false } });
  const endings: [string, 'owner' | 'admin', (id: string) => Promise<{ status: number }>][] = [
    ['is no longer an owner', 'owner', demote],
    ['is deactivated', 'admin', (id) => call(node, deactivateUser, userOf(id))],
    ['is removed', 'admin', (id) => call(node, removeUser, userOf(id))],
  ];
  for (const [name, kind, end] of endings)
    test(`when its creator ${name}, and its source can be continued`, async () => {
      const creator = await signedIn(node, { team: team.id, kind });
      await savePolicy(kind === 'admin');
      const made = (await add({}, creator)).body;
      assert.equal(await importWith(made), 200);
      assert.equal((await end(creator.id)).status, 200);
      assert.equal(await importWith(made), 401);
      assert.ok(((await find(made.id))?.stopped_at ?? 0) > 0);
      await savePolicy(false);
      const next = (await add({ replaces: made.id })).body;
      assert.equal(next.source_id, made.source_id);
      assert.deepEqual([await importWith(next), await importWith(made)], [200, 401]);
    });

  test('not when its creator is no longer an owner but admins may create tokens', async () => {
    const creator = await signedIn(node, { team: team.id, kind: 'owner' });
    const made = (await add({}, creator)).body;
    await savePolicy(true);
    assert.equal((await demote(creator.id)).status, 200);
    assert.equal(await importWith(made), 200);
    await savePolicy(false);
  });

  test('when it expires', async () => {
    const made = (await add()).body;
    await age(made.id, '364 days');
    assert.equal(await importWith(made), 200);
    await age(made.id, '2 days');
    assert.equal(await importWith(made), 401);
    assert.ok(await find(made.id), 'it is listed until it is removed');
  });
});

describe('the end of a token', () => {
  test('is a year ahead by default', async () => {
    const [before, { expires_at }, after] = [Date.now(), (await add()).body, Date.now()];
    assert.ok(expires_at >= toTokenExpiry(before, 1) - 1_000 && expires_at <= toTokenExpiry(after, 1) + 1_000);
  });

  test('is at most two years ahead, and not in the past', async () => {
    const now = Date.now();
    const latest = toTokenExpiry(now, 2);
    assert.equal((await add({ expires_at: latest - 60_000 })).body.expires_at, latest - 60_000);
    const before = await snapshotTables(node);
    for (const expires_at of [latest + 60_000, latest + 1e12, now - 1_000, 0, -1, 1.5, `${now}`, null])
      assert.equal((await add({ expires_at })).body.id, 'request.invalid', String(expires_at));
    assert.deepEqual(await snapshotTables(node), before);
  });
});

test('the rights of a token are those requested, each kind once', async () => {
  const { kinds, speak_for_users } = (await add({ kinds: ['note', 'file', 'note'], speak_for_users: true })).body;
  assert.deepEqual([kinds, speak_for_users], [['file', 'note'], true]);
  const wrong = [{ kinds: [] }, { kinds: ['poem'] }, { kinds: 'note' }, { kinds: Array(11).fill('note') }];
  for (const body of [...wrong, { speak_for_users: 1 }, { speak_for_users: 'yes' }])
    assert.equal((await add(body)).body.id, 'request.invalid', JSON.stringify(body));
});

describe('a token that replaces another', () => {
  test('has the same source; the earlier one is valid for 24 hours more', async () => {
    const earlier = (await add()).body;
    const before = Date.now();
    const next = (await add({ replaces: earlier.id })).body;
    assert.equal(next.source_id, earlier.source_id);
    const end = (await find(earlier.id))?.expires_at ?? 0;
    assert.ok(Math.abs(end - before - 24 * 3_600_000) < 60_000);
    assert.deepEqual([await importWith(earlier), await importWith(next)], [200, 200]);
    await age(earlier.id, '24 hours 1 minute');
    assert.deepEqual([await importWith(earlier), await importWith(next)], [401, 200]);
    assert.equal((await add({ replaces: earlier.id })).body.source_id, earlier.source_id);
    assert.ok(((await find(earlier.id))?.expires_at ?? 0) < before, 'its end is not moved later');
  });

  test('must be of the same team', async () => {
    const other = await createTeamWithMembers(node);
    const theirs = (await add({}, other.owner, other.id)).body;
    const before = await snapshotTables(node);
    for (const replaces of [theirs.id, newId()])
      assert.deepEqual((await add({ replaces })).body.id, 'record.not_found');
    assert.equal((await add({ replaces: 'x' })).body.id, 'request.invalid');
    assert.deepEqual(await snapshotTables(node), before);
  });
});
