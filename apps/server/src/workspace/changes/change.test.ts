import assert from 'node:assert/strict';
import { revokeSessions, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, type SignedInUser, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let second: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  second = await startApp({ beside: node, work: false, pool: 8 });
  team = await createTeamWithMembers(node);
});

afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const anAddress = () => `${newId()}@example.test`;

const save = (body: object, more: Sending & { key?: string; on?: TestApp } = {}) =>
  call(more.on ?? node, saveUser, {
    as: team.admin,
    params: { teamId: team.id },
    body,
    ...more,
    headers: { ...(more.key === undefined ? {} : { 'idempotency-key': more.key }), ...more.headers },
  });

const invitationsOf = async (email: string) =>
  (await node.db.selectFrom('memberships').select('person_id').where('email', '=', email).execute()).map(
    ({ person_id }) => person_id,
  );
const usersCalled = async (email: string) => (await invitationsOf(email)).length;

const listAudits = async (email: string) => {
  const ids = await invitationsOf(email);
  return (await auditRows(node, 'users.invited')).filter(({ target }) => ids.includes(target ?? '')).length;
};

describe('a change with an Idempotency-Key', () => {
  test('has one effect when 16 equal requests arrive at two nodes, and all get its response', async () => {
    const [email, key] = [anAddress(), newId()];
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, i) => save({ email, account_type: 2 }, { key, on: i % 2 ? node : second })),
    );
    for (const reply of replies) assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    assert.equal(replies[0]?.status, 200);
    await settled(node);
    assert.deepEqual([await usersCalled(email), await listAudits(email), node.inbox.waiting(email).length], [1, 1, 1]);
  });

  test('is refused with another body or for another call, without any change', async () => {
    const [email, key] = [anAddress(), newId()];
    await save({ email, account_type: 2 }, { key });
    const before = await snapshotTables(node);
    for (const reply of [
      await save({ email, account_type: 1 }, { key }),
      await save({ email: anAddress(), account_type: 2 }, { key }),
      await call(node, revokeSessions, {
        as: team.admin,
        params: { teamId: team.id, userId: team.member.id },
        headers: { 'idempotency-key': key },
      }),
    ])
      assert.deepEqual([reply.status, reply.body.id], [422, 'request.key_reused']);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('repeats the first response, even if the data has changed since', async () => {
    const target = await signedIn(node, { team: team.id });
    const revoke = () =>
      call(node, revokeSessions, {
        as: team.admin,
        params: { teamId: team.id, userId: target.id },
        headers: { 'idempotency-key': `revoke ${target.id}`.replace(' ', '-') },
      });
    const first = await revoke();
    assert.equal(first.body.revoked, 1);
    assert.deepEqual(toComparable(await revoke()), toComparable(first));
  });

  test('belongs to one person: the same key of another person is independent', async () => {
    const key = newId();
    const [mine, theirs] = [anAddress(), anAddress()];
    assert.equal((await save({ email: mine, account_type: 2 }, { key })).status, 200);
    assert.equal((await save({ email: theirs, account_type: 2 }, { key, as: team.owner })).status, 200);
    assert.deepEqual([await usersCalled(mine), await usersCalled(theirs)], [1, 1]);
  });

  test('isn’t consumed by a refused change', async () => {
    const [email, key] = [anAddress(), newId()];
    assert.equal((await save({ email: team.owner.email, account_type: 2 }, { key })).status, 409);
    assert.equal((await save({ email, account_type: 2 }, { key })).status, 200);
  });

  test('doesn’t bypass the guard: a demoted admin doesn’t get the stored response', async () => {
    const admin: SignedInUser = await signedIn(node, { team: team.id, kind: 'admin' });
    const [body, key] = [{ email: anAddress(), account_type: 2 }, newId()];
    assert.equal((await save(body, { key, as: admin })).status, 200);
    await save({ email: admin.email, account_type: 2 }, { as: team.owner });
    assert.equal((await save(body, { key, as: admin })).status, 403);
  });

  test('has 1 to 200 visible characters', async () => {
    for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(201), 'a\tb'])
      assert.equal((await save({ email: anAddress(), account_type: 2 }, { key })).status, 400, JSON.stringify(key));
    assert.equal((await save({ email: anAddress(), account_type: 2 }, { key: 'x'.repeat(200) })).status, 200);
  });

  test('is removed after 24 hours and not before', async () => {
    const [email, key] = [anAddress(), newId()];
    await save({ email, account_type: 2 }, { key });
    const age = (text: string) =>
      sql`update idempotency_keys set created_at = now() - ${text}::interval where key = ${key}`.execute(node.db);
    await age('23 hours 59 minutes');
    await cleanUp(node);
    assert.equal((await save({ email, account_type: 1 }, { key })).status, 422);
    await age('24 hours 1 minute');
    await cleanUp(node);
    assert.equal((await save({ email, account_type: 1 }, { key })).status, 200);
  });
});

describe('the audit row of a change', () => {
  test('is exactly one, in the transaction of the change, with actor, address and request id', async () => {
    const email = anAddress();
    const reply = await save({ email, account_type: 2 }, { from: '203.0.113.5' });
    const { rows } = await sql<Record<string, unknown>>`
      select a.actor_id, a.team_id, a.target, p.person_id as id, a.address, a.request_id, a.xmin = p.xmin as together,
        a.at between now() - interval '1 minute' and now() as recent
      from audit_events a join memberships p on p.person_id = a.target where p.email = ${email}`.execute(node.db);
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0], {
      actor_id: team.admin.id,
      team_id: team.id,
      target: rows[0]?.id,
      id: rows[0]?.id,
      address: '203.0.113.5',
      request_id: reply.headers['x-request-id'],
      together: true,
      recent: true,
    });
  });

  test('is required: if it can’t be written, nothing changes and no email is sent', async () => {
    const email = `audit-fails-${newId()}@example.test`;
    await sql`create function refuse_audit() returns trigger language plpgsql as $$
      begin if exists (select 1 from memberships where person_id = new.target and email like 'audit-fails-%') then raise exception 'disk full'; end if; return new; end $$`.execute(
      node.db,
    );
    await sql`create trigger refuse_audit before insert on audit_events for each row execute function refuse_audit()`.execute(
      node.db,
    );
    const reply = await save({ email, account_type: 2 });
    assert.deepEqual([reply.status, reply.body.id], [500, 'server.error']);
    assert.doesNotMatch(reply.text, /disk full/);
    assert.ok(node.log.some((line) => line.includes('disk full') && line.includes(reply.body.request_id)));
    await settled(node);
    assert.deepEqual([await usersCalled(email), node.inbox.waiting(email).length], [0, 0]);
    await sql`drop trigger refuse_audit on audit_events`.execute(node.db);
  });

  test('is never changed, removed or truncated', async () => {
    await save({ email: anAddress(), account_type: 2 });
    const before = await snapshotTables(node);
    for (const statement of [
      "update audit_events set action = 'x'",
      'delete from audit_events',
      'truncate audit_events',
    ])
      await assert.rejects(sql.raw(statement).execute(node.db), (error: { code?: string }) => error.code === '42501');
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('never contains a secret', async () => {
    for (let nth = 0; nth < 2; nth += 1) {
      const admin = await signedIn(node, { team: team.id, kind: 'admin' });
      const params = { teamId: team.id, userId: admin.id };
      assert.equal((await save({ email: anAddress(), account_type: 2 })).status, 200);
      assert.equal((await call(node, revokeSessions, { as: team.owner, params })).status, 200);
      assert.equal((await save({ email: admin.email, account_type: 2 }, { as: team.owner })).status, 200);
    }
    const { rows } = await sql<{ row: string }>`select details::text as row from audit_events`.execute(node.db);
    assert.ok(rows.length > 5);
    for (const { row } of rows) assert.doesNotMatch(row, /token|password|argon2|hash|steward_/i);
  });

  test('isn’t written for a refused change, which logs the request id', async () => {
    const before = await snapshotTables(node);
    const reply = await save({ email: anAddress(), account_type: 2 }, { as: team.member });
    assert.equal(reply.status, 403);
    assert.deepEqual(await snapshotTables(node), before);
    const line = node.log.find((text) => text.includes(reply.body.request_id) && text.includes('"refused"'));
    assert.ok(line?.includes('team.admin_required'));
  });
});
