import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import type { Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildGroup, buildUser, scim, scimToken, type TestProvisioner, toPatch } from '#testing/peers/scim.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

/** Shorter limits than the product's, to save time. */
const LIMITS = { lockMs: 200, statementMs: 400, waitMs: 200 };

let node: TestApp;
/** The same server without limits, for the test's own statements. */
let other: TestApp;
let team: TestTeam;
let idp: TestProvisioner;
let groupId: string;

beforeAll(async () => {
  other = await startApp({ work: false, pool: 2 });
  node = await startApp({ beside: other, work: false, pool: 2, limits: LIMITS });
});

beforeEach(async () => {
  team = await createTeamWithMembers(other);
  idp = await scimToken(other, team.id, team.owner.id);
  groupId = (await scim(other, idp, 'POST /Groups', { body: buildGroup('Staff') })).body.id;
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const changes = (): [string, object?][] => [
  ['POST /Users', buildUser(`${newId()}@a.test`)],
  [`PUT /Users/${team.member.id}`, buildUser(team.member.email, { externalId: 'new' })],
  [`PATCH /Users/${team.member.id}`, toPatch({ op: 'replace', path: 'active', value: false })],
  [`DELETE /Users/${team.member.id}`],
  ['POST /Groups', buildGroup('Others', [team.member.id])],
  [`PUT /Groups/${groupId}`, buildGroup('Staff', [team.member.id])],
  [`PATCH /Groups/${groupId}`, toPatch({ op: 'add', path: 'members', value: [{ value: team.member.id }] })],
  [`DELETE /Groups/${groupId}`],
];

/** Asserts a response on which providers retry. */
function assertUnavailable(reply: Reply, call: string): void {
  assert.equal(reply.status, 503, `${call}: ${reply.text}`);
  assert.match(String(reply.headers['content-type']), /^application\/scim\+json/);
  assert.deepEqual(reply.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.deepEqual([reply.body.status, reply.body.scimType], ['503', undefined]);
  assert.ok(Number(reply.headers['retry-after']) > 0, call);
}

/** Sends every change while `wait` blocks the database, and then again without blocking. */
async function expectLater(wait: (send: () => Promise<void>) => Promise<void>): Promise<void> {
  const except = [...TRACES, 'scim_log'];
  const logged = sql`select action as what from audit_events where action like 'scim.%'
    union all select method from scim_log where status < 400 order by what`;
  const before = await snapshotTables(other, { except });
  const { rows } = await logged.execute(other.db);
  await wait(async () => {
    for (const [call, body] of changes()) assertUnavailable(await scim(node, idp, call, { body }), call);
  });
  assert.deepEqual(await snapshotTables(other, { except }), before, 'nothing changed');
  assert.deepEqual((await logged.execute(other.db)).rows, rows, 'and neither log has a change');
  for (const [call, body] of changes()) {
    const { status, text } = await scim(node, idp, call, { body });
    // After their DELETE, the user and the group no longer exist.
    assert.ok(status < 300 || (status === 404 && call.includes(team.member.id)), `${call}: ${text}`);
  }
}

describe('while the database makes a change wait for too long, it is answered with 503, nothing changes, and it works when it is sent again', () => {
  test('by a lock of the team', () =>
    expectLater((send) =>
      other.db.transaction().execute(async (trx) => {
        await sql`select 1 from teams where id = ${team.id} for update`.execute(trx);
        await send();
      }),
    ));

  test('by a lock of the log, which is written last', () =>
    expectLater((send) =>
      other.db.transaction().execute(async (trx) => {
        await sql`lock table scim_log in exclusive mode`.execute(trx);
        await send();
      }),
    ));

  test('by a statement that takes too long', async () => {
    await sql`create function wait() returns trigger language plpgsql as
      $$ begin perform pg_sleep(5); return new; end $$`.execute(other.db);
    await sql`create trigger wait before insert on scim_log for each row when (new.status < 400)
      execute function wait()`.execute(other.db);
    await expectLater(async (send) => {
      await send();
      await sql`drop trigger wait on scim_log`.execute(other.db);
    });
  });

  test('by a deadlock that comes again', async () => {
    await sql`create function abort() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(other.db);
    await sql`create trigger abort before insert on scim_log for each row when (new.status < 400)
      execute function abort()`.execute(other.db);
    await expectLater(async (send) => {
      await send();
      await sql`drop trigger abort on scim_log`.execute(other.db);
    });
  });

  test('by other calls that use all connections', () =>
    expectLater(async (send) => {
      const held = await Promise.all([node.deps.pool.connect(), node.deps.pool.connect()]);
      await send().finally(() => {
        for (const client of held) client.release();
      });
    }));
});

test('a list that has to wait for too long is answered with 503 as well', async () => {
  await other.db.transaction().execute(async (trx) => {
    await sql`lock table scim_users in access exclusive mode`.execute(trx);
    assertUnavailable(await scim(node, idp, 'GET /Users'), 'GET /Users');
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] };
    assertUnavailable(await scim(node, idp, 'POST /.search', { body }), 'POST /.search');
  });
  assert.equal((await scim(node, idp, 'GET /Users')).status, 200);
});
