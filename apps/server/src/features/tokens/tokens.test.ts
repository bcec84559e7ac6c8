import assert from 'node:assert/strict';
import { TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { addToken, listTokens, removeToken, saveTokenPolicy } from '@steward/contract/tokens';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { ingest, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp();
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const add = (body: unknown, more: object = {}, of = team) =>
  call(node, addToken, { as: of.owner, params: { teamId: of.id }, body, ...more });
const remove = (tokenId: string, of = team) =>
  call(node, removeToken, { as: of.owner, params: { teamId: of.id, tokenId } });
const listed = async (of = team) =>
  (await call(node, listTokens, { as: of.owner, params: { teamId: of.id } })).body.records;
const toServiceCredentials = (token: string, teamId = team.id) => ({
  teamId,
  headers: { authorization: `Bearer ${token}` },
});
const savePolicy = (admins_may_create: unknown, as = team.owner) =>
  call(node, saveTokenPolicy, { as, params: { teamId: team.id }, body: { admins_may_create } });
const note = () => [{ kind: 'note', external_id: newId(), created_at: 1 }];

describe('a service token', () => {
  test('is returned once when it is created, and listed without the secret, newest first', async () => {
    const { status, body } = await add({ name: '  Chat service ' });
    assert.equal(status, 200);
    const { token, ...row } = body;
    assert.match(token, /^stw_[A-Za-z0-9_-]{43}$/);
    assert.partialDeepStrictEqual(row, {
      name: 'Chat service',
      created_by: team.owner.id,
      created_by_name: 'Some Body',
      kinds: ContentKind.options,
      speak_for_users: false,
      stopped_at: 0,
      last_used_at: 0,
    });
    assert.ok(isOfThisRun(row.created_at));
    const second = (await add({ name: 'Phone service' })).body;
    assert.deepEqual(
      (await listed()).slice(0, 2),
      [{ ...second, token: undefined }, row].map(({ token: _, ...own }) => own),
    );
  });

  test('imports content immediately, and its last use is recorded to the minute', async () => {
    const { token, id } = (await add({ name: 'Used' })).body;
    const used = async () => (await listed()).find((row: { id: string }) => row.id === id).last_used_at;
    assert.equal((await ingest(node, toServiceCredentials(token), note())).status, 200);
    const first = await used();
    assert.ok(isOfThisRun(first));
    await ingest(node, toServiceCredentials(token), note());
    assert.equal(await used(), first);
    await sql`update service_tokens set last_used_at = last_used_at - interval '61 seconds' where id = ${id}`.execute(
      node.db,
    );
    await ingest(node, toServiceCredentials(token), note());
    assert.ok((await used()) >= first);
  });

  test('that was removed is refused from the next call on, on other nodes too', async () => {
    await using second = await startApp({ beside: node, work: false });
    const { token, id } = (await add({ name: 'Short-lived' })).body;
    for (const at of [node, second]) assert.equal((await ingest(at, toServiceCredentials(token), note())).status, 200);
    assert.deepEqual((await remove(id)).body, { status_code: 200 });
    for (const at of [second, node]) {
      const reply = await ingest(at, toServiceCredentials(token), note());
      assert.deepEqual([reply.status, reply.body.id], [401, 'token.required']);
    }
    assert.equal((await remove(id)).status, 404);
  });

  test('stops when its creator is no longer an admin', async () => {
    const admin = await signedIn(node, { team: team.id, kind: 'admin' });
    await savePolicy(true);
    const { token } = (await add({ name: 'Theirs' }, { as: admin })).body;
    assert.equal((await ingest(node, toServiceCredentials(token), note())).status, 200);
    const body = { email: admin.email, account_type: 2 };
    assert.equal((await call(node, saveUser, { as: team.owner, params: { teamId: team.id }, body })).status, 200);
    assert.equal((await add({ name: 'One more' }, { as: admin })).status, 403);
    assert.equal((await ingest(node, toServiceCredentials(token), note())).status, 401);
    await savePolicy(false);
  });

  test('of the operator is marked as such', async () => {
    const { id } = await serviceToken(node, team.id);
    const row = (await listed()).find((token: { id: string }) => token.id === id);
    assert.deepEqual([row.created_by, row.created_by_name], ['', 'Operator']);
  });

  test('needs a name of 1 to 100 characters', async () => {
    for (const body of [{}, { name: '' }, { name: '   ' }, { name: 'x'.repeat(101) }, { name: 7 }, { name: 'a\0' }, []])
      assert.equal((await add(body)).body.id, 'request.invalid', JSON.stringify(body));
    assert.equal((await add({ name: 'x'.repeat(100) })).status, 200);
  });

  test(`is refused to a team that has ${TOKENS_PER_TEAM}, even with concurrent requests`, async () => {
    const full = await createTeamWithMembers(node);
    await using second = await startApp({ beside: node, pool: 8, work: false });
    for (let count = 0; count < TOKENS_PER_TEAM - 2; count += 1) await serviceToken(node, full.id);
    const ask = () => call(second, addToken, { as: full.owner, params: { teamId: full.id }, body: { name: 'One' } });
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    assert.equal(replies.filter(({ status }) => status === 200).length, 2);
    for (const { status, body } of replies) if (status !== 200) assert.equal(body.id, 'tokens.too_many');
    assert.equal((await listed(full)).length, TOKENS_PER_TEAM);
  });
});

test('a token is in no table or log in plain text, even with an Idempotency-Key, whose repetition returns it again', async () => {
  const headers = { 'idempotency-key': newId() };
  const first = await add({ name: 'Repeated' }, { headers });
  const { token, id } = first.body;
  await ingest(node, toServiceCredentials(token), note());
  const again = await add({ name: 'Repeated' }, { headers });
  assert.deepEqual(again.body, first.body);
  assert.equal((await listed()).filter(({ name }: { name: string }) => name === 'Repeated').length, 1);
  const dump = await dumpDatabase(node);
  assert.ok(dump.includes(id), 'the dump includes the token’s row');
  assert.ok(!dump.includes(token.slice(4)));
  assert.ok(!node.log.join('\n').includes(token.slice(4)));
});

test('creating and removing a token write one audit row each', async () => {
  const replaced = (await add({ name: 'Earlier' })).body;
  const form = { name: 'Audited', kinds: ['note', 'file'], speak_for_users: true, replaces: replaced.id };
  const { id, source_id, expires_at } = (await add(form)).body;
  await remove(id);
  await remove(id);
  const detailsOf = async (action: string) =>
    (await auditRows(node, action)).filter(({ target, actor_id }) => target === id && actor_id === team.owner.id);
  const row = { team_id: team.id, actor_id: team.owner.id, target: id };
  assert.deepEqual(await detailsOf('tokens.added'), [
    { ...row, details: { ...form, kinds: ['file', 'note'], source_id, expires_at } },
  ]);
  assert.deepEqual(await detailsOf('tokens.removed'), [{ ...row, details: { name: 'Audited' } }]);
});
