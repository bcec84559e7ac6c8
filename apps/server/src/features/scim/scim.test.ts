import assert from 'node:assert/strict';
import { SCIM_LOG_REQUEST_MAX, SCIM_TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { addScimToken, listScimLog, listScimTokens, removeScimToken } from '@steward/contract/scim';
import { deactivateUser, setOwner } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { buildUser, scim, scimToken, toPatch } from '#testing/peers/scim.ts';
import { createTeamWithMembers, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { endAllScimTokens } from './tokens.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const add = (name = 'Directory', as = team.owner, at = team) =>
  call(node, addScimToken, { as, params: { teamId: at.id }, body: { name } });
const list = async (at = team) => (await call(node, listScimTokens, { as: at.owner, params: { teamId: at.id } })).body;
const log = async (query: Record<string, string> = {}, at = team) =>
  (await call(node, listScimLog, { as: at.owner, params: { teamId: at.id }, query })).body;

describe('a provisioning token', () => {
  test('is shown once, and is in no table or log', async () => {
    const { status, body } = await add();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['base_url', 'id', 'name', 'token']);
    assert.equal(body.base_url, 'http://steward.test/scim/v2');
    assert.equal((await scim(node, body, 'GET /Users')).status, 200);
    const { records } = await list();
    assert.deepEqual([records[0].id, records[0].created_by, 'token' in records[0]], [body.id, team.owner.id, false]);
    const dump = await dumpDatabase(node);
    assert.ok(dump.includes(body.id) && !dump.includes(body.token.slice(5)));
    assert.ok(!node.log.join('\n').includes(body.token.slice(5)));
    assert.deepEqual((await auditRows(node, 'scim.token_added')).at(-1), {
      team_id: team.id,
      actor_id: team.owner.id,
      target: body.id,
      details: { name: 'Directory' },
    });
  });

  test('needs a name that isn’t blank', async () => {
    assert.equal((await add(' ')).status, 400);
  });

  test('works until it is removed', async () => {
    const made = (await add()).body;
    const remove = (tokenId: string, at = team) =>
      call(node, removeScimToken, { as: at.owner, params: { teamId: at.id, tokenId } });
    const other = await createTeamWithMembers(node);
    assert.equal((await remove(made.id, other)).status, 404);
    assert.equal((await scim(node, made, 'GET /Users')).status, 200);
    assert.equal((await remove(made.id)).status, 200);
    assert.equal((await scim(node, made, 'GET /Users')).status, 401);
    assert.equal((await remove(made.id)).status, 404);
  });

  test('stops for good when its creator is no longer an active owner', async () => {
    for (const [endpoint, body] of [
      [setOwner, { owner: false }],
      [deactivateUser, undefined],
    ] as const) {
      const creator = await signedIn(node, { team: team.id, kind: 'owner' });
      const made = await scimToken(node, team.id, creator.id);
      assert.equal((await scim(node, made, 'GET /Users')).status, 200);
      const params = { teamId: team.id, userId: creator.id };
      await call(node, endpoint, { as: team.owner, params, ...(body && { body }) });
      assert.equal((await scim(node, made, 'GET /Users')).status, 401);
      await call(node, setOwner, { as: team.owner, params, body: { owner: true } });
      assert.equal((await scim(node, made, 'GET /Users')).status, 401);
      const { records } = await list();
      assert.ok(records.find(({ id }: { id: string }) => id === made.id).stopped_at > 0);
    }
  });

  test('ends with a restore, and stays in the list', async () => {
    const own = await createTeamWithMembers(node);
    const made = await scimToken(node, own.id, own.owner.id);
    await inTransaction(node.db, endAllScimTokens);
    assert.equal((await scim(node, made, 'GET /Users')).status, 401);
    assert.ok((await list(own)).records[0].stopped_at > 0);
  });

  test('is one of a limited number, also when they are created concurrently', async () => {
    const full = await createTeamWithMembers(node);
    const replies = await Promise.all(
      Array.from({ length: SCIM_TOKENS_PER_TEAM + 2 }, () => add('x', full.owner, full)),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, SCIM_TOKENS_PER_TEAM);
    assert.equal(replies.filter(({ body }) => body.id === 'scim.too_many_tokens').length, 2);
  });

  test('records its use at most once a minute', async () => {
    const made = await scimToken(node, team.id, team.owner.id);
    const used = async () =>
      (
        await node.db
          .selectFrom('scim_tokens')
          .select('last_used_at')
          .where('id', '=', made.id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    await scim(node, made, 'GET /Users');
    const first = await used();
    await scim(node, made, 'GET /Users');
    assert.deepEqual(await used(), first);
    await sql`update scim_tokens set last_used_at = now() - interval '61 seconds' where id = ${made.id}`.execute(
      node.db,
    );
    await scim(node, made, 'GET /Users');
    assert.ok(((await used()) ?? 0) >= (first ?? 0));
    const { health } = await list();
    assert.ok(health.last_call_at > 0);
  });
});

describe('the log', () => {
  test('has what was sent and what became of it, newest first, without secrets and without answered reading', async () => {
    const own = await createTeamWithMembers(node);
    const idp = await scimToken(node, own.id, own.owner.id);
    const email = `${newId()}@example.test`;
    const body = buildUser(email, {
      password: 'Sup3r-secret',
      nested: { apiToken: 'Sup3r-secret' },
      nickName: 'x'.repeat(SCIM_LOG_REQUEST_MAX),
    });
    await scim(node, idp, 'POST /Users', { body });
    await scim(node, idp, 'POST /Users', { body: buildUser(email) });
    await scim(node, idp, 'GET /Users', { query: { filter: `userName eq "${email}"` } });
    await scim(node, idp, 'GET /Users/unknown');
    await scim(node, idp, 'GET /Users', { query: { filter: 'userName' } });
    const operation = { op: 'replace', path: 'password', value: 'Sup3r-secret' };
    await scim(node, idp, `PATCH /Users/${own.member.id}`, { body: toPatch(operation) });
    const { records } = await log({}, own);
    assert.deepEqual(
      records.map(({ method, status }: { method: string; status: number }) => [method, status]),
      [
        ['PATCH', 200],
        ['GET', 400],
        ['GET', 404],
        ['POST', 409],
        ['POST', 201],
      ],
    );
    assert.match(records[4].effect, /^Invited /);
    assert.equal(records[3].effect, 'Another user of the team has this name.');
    assert.equal(records[1].path, '/scim/v2/Users?filter=userName');
    assert.equal(records[4].request.length, SCIM_LOG_REQUEST_MAX);
    assert.ok(!JSON.stringify(records).includes('Sup3r') && !(await dumpDatabase(node)).includes('Sup3r'));
    assert.deepEqual((await log({ failed: '1' }, own)).records.length, 3);
    const first = await log({ limit: '3' }, own);
    const second = await log({ limit: '3', last_key: first.last_key }, own);
    assert.deepEqual([...first.records, ...second.records], records);
    const { health } = await list(own);
    assert.deepEqual([health.changes, health.failures, health.users, health.groups], [2, 3, 2, 0]);
  });
});
