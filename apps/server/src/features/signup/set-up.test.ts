import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { team as createTeam, PASSWORD, user } from '#testing/workspace/factories.ts';
import { sendSetUp } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addUser } from '#workspace/users/users.store.ts';
import { offerSetUp } from './set-up.actions.ts';

const closed = { work: false, pool: 8, env: { SIGNUP: 'off' } };

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp(closed);
  other = await startApp({ ...closed, beside: node });
});

beforeEach(async () => {
  await sql`truncate teams, people, set_up_links cascade`.execute(node.db);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

/** Returns the token that a start of the server would print. */
async function offer(on = node): Promise<string> {
  const path = (await offerSetUp(on.deps)) ?? assert.fail('nothing to set up');
  return /^\/setup\?token=([\w-]{43})$/.exec(path)?.[1] ?? assert.fail(path);
}

const refusal = (reply: Reply) => [reply.status, reply.body.id];
const INVALID = [400, 'setup.link_invalid'];

async function countTeams(): Promise<number> {
  return (await node.db.selectFrom('teams').select('id').execute()).length;
}

describe('setting up the first team', () => {
  test('creates it and its owner, who can sign in, and signs no one in', async () => {
    const token = await offer();
    const given = { team_name: ' Acme  GmbH', email: ' Ada@Example.test', first: ' Ada ', last: 'Lovelace' };
    const reply = await sendSetUp(node, token, given);
    assert.deepEqual([reply.status, reply.body, reply.setCookies], [200, { status_code: 200 }, []]);
    const who = (await call(node, login, { body: { login_id: 'ada@example.test', password: PASSWORD } })).body;
    assert.partialDeepStrictEqual(who, { first_name: 'Ada', last_name: 'Lovelace', type: 2, account_type: 1 });
    const { rows } = await sql<object>`select t.display_name, m.roles from teams t
      join memberships m on m.team_id = t.id and m.person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(rows, [{ display_name: 'Acme GmbH', roles: ['team_user', 'team_admin', 'team_owner'] }]);
    const { id: team_id } = await node.db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
    const event = { team_id, actor_id: who.id, target: who.id, details: {} };
    const created = (await auditRows(node, 'teams.created')).filter((row) => row.team_id === team_id);
    assert.deepEqual(created, [event]);
    assert.deepEqual(refusal(await sendSetUp(node, token, given)), INVALID, 'used once');
    assert.equal(await offerSetUp(node.deps), undefined, 'the next start offers nothing');
  });

  test('works with a list of domains too, for any address', async () => {
    const env = { SIGNUP: 'domains:a.example' };
    await using limited = await startApp({ beside: node, work: false, env });
    assert.equal((await sendSetUp(limited, await offer(limited))).status, 200);
  });

  test('one of eight posts with the same token makes a team, on two nodes too', async () => {
    const token = await offer();
    const sendNth = (nth: number) => sendSetUp(nth % 2 ? node : other, token, { email: `${nth}@example.test` });
    const replies = await Promise.all(Array.from({ length: 8 }, (_, nth) => sendNth(nth)));
    const done = replies.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const reply of replies) if (reply !== done[0]) assert.deepEqual(refusal(reply), INVALID);
    assert.equal(await countTeams(), 1);
    const users = await node.db.selectFrom('people').select('email').execute();
    assert.equal(users.length, 1, 'no account without a team');
  });

  test('while one post creates the team, another with the same token waits, and is refused', async () => {
    const token = await offer();
    // Blocks the first call after it has added its team, before it adds the owner.
    const holding = await node.db.startTransaction().execute();
    const names = { first_name: 'Grace', last_name: 'Hopper', password_hash: 'another' };
    await addUser(holding as never, { email: 'first@example.test', ...names });
    const first = sendSetUp(node, token);
    await waitForLockWaiter(node, 'insert into "people"');
    const second = sendSetUp(other, token, { email: 'second@example.test' });
    await Promise.race([waitForLockWaiter(node, 'delete from "set_up_links"'), second]);
    await holding.rollback().execute();
    assert.deepEqual([(await first).status, refusal(await second)], [200, INVALID]);
    assert.equal(await countTeams(), 1);
  });

  test('only the link of the newest start works', async () => {
    const [first, second] = [await offer(), await offer(other)];
    assert.notEqual(first, second);
    assert.deepEqual(refusal(await sendSetUp(node, first)), INVALID);
    assert.equal((await sendSetUp(node, second)).status, 200, 'on every node');
  });

  test('a link expires after 24 hours', async () => {
    const token = await offer();
    const { rows } = await sql<{ hours: number }>`select extract(epoch from expires_at - now()) / 3600 as hours
      from set_up_links`.execute(node.db);
    assert.ok(Math.abs((rows[0]?.hours ?? 0) - 24) < 0.1);
    await sql`update set_up_links set expires_at = now()`.execute(node.db);
    assert.deepEqual(refusal(await sendSetUp(node, token)), INVALID);
    assert.equal(await countTeams(), 0);
  });

  test('a team created by the operator in between ends it', async () => {
    const token = await offer();
    await createTeam(node);
    const before = await snapshotTables(node);
    assert.deepEqual(refusal(await sendSetUp(node, token)), INVALID);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('is not offered where everyone may sign up, which ends an earlier link', async () => {
    const token = await offer();
    await using open = await startApp({ beside: node, work: false, env: { SIGNUP: 'open' } });
    assert.equal(await offerSetUp(open.deps), undefined);
    assert.deepEqual(refusal(await sendSetUp(node, token)), INVALID);
  });

  test('leaves an account alone that the address has already, and answers the same', async () => {
    const known = await user(node, { team: null });
    const before = await node.db.selectFrom('people').select(['first_name', 'password_hash']).execute();
    const reply = await sendSetUp(node, await offer(), { email: known.email, password: 'another long password' });
    assert.deepEqual(reply.body, { status_code: 200 });
    assert.deepEqual(await node.db.selectFrom('people').select(['first_name', 'password_hash']).execute(), before);
    const { rows } = await sql<object>`select person_id as id, roles from memberships`.execute(node.db);
    assert.deepEqual(rows, [{ id: known.id, roles: ['team_user', 'team_admin', 'team_owner'] }]);
  });

  test('refuses wrong links and bodies alike for every address, without any change', async () => {
    const known = await user(node, { team: null });
    const token = await offer();
    const before = await snapshotTables(node);
    const replies = [];
    for (const email of [known.email, `${newId()}@example.test`])
      replies.push(await sendSetUp(node, 'A'.repeat(43), { email }), await sendSetUp(node, `${token}x`, { email }));
    for (const reply of replies) {
      assert.deepEqual(refusal(reply), INVALID);
      assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    }
    for (const fault of [
      ...['', '\u200b', 'x'.repeat(101), 7, ['Acme'], 'https://evil.example'].map((team_name) => ({ team_name })),
      ...['', 'x', 'a@b', { $ne: null }, 'a@example.test\r\nBcc: b@example.test'].map((email) => ({ email })),
      ...['', ' ', 'x'.repeat(101), null].map((first) => ({ first })),
      ...['short', 7, 'x'.repeat(1_001)].map((password) => ({ password })),
      ...['', 7, null, 'x'.repeat(201)].map((wrong) => ({ token: wrong })),
    ])
      assert.deepEqual(refusal(await sendSetUp(node, token, fault)), [400, 'request.invalid'], JSON.stringify(fault));
    assert.deepEqual(refusal(await sendSetUp(node, token, { password: 'password123' })), [400, 'password.too_common']);
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await sendSetUp(node, token)).status, 200, 'the link was not used up');
  });

  test('no table or log line contains the token or the password', async () => {
    const token = await offer();
    const password = `very secret ${newId()}`;
    const unused = await dumpDatabase(node);
    assert.equal((await sendSetUp(node, token, { password })).status, 200);
    const dump = unused + (await dumpDatabase(node));
    for (const secret of [token, password]) {
      assert.ok(!dump.includes(secret));
      for (const line of node.log) assert.ok(!line.includes(secret), line);
    }
  });
});
