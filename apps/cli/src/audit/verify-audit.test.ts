import assert from 'node:assert/strict';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { addAuditEvent, JOB_ORIGIN } from '@steward/server/src/workspace/audit/audit.store.ts';
import { getCurrentKey } from '@steward/server/src/workspace/audit/audit-keys.ts';
import { signEvent } from '@steward/server/src/workspace/audit/chain-digests.ts';
import { sealAuditRows } from '@steward/server/src/workspace/audit/seal-audit.actions.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { team as createTeam } from '@steward/server/testing/workspace/factories.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { verifyAuditLog } from './verify-audit.actions.ts';

const KEY = '5e'.repeat(32);
const secrets = createSecrets(KEY);

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 8 });
});

afterAll(() => node[Symbol.asyncDispose]());

async function write(teamId: string, count = 1): Promise<void> {
  for (let nth = 0; nth < count; nth += 1)
    await inTransaction(node.db, (trx) =>
      addAuditEvent(trx, node.deps, {
        action: 'users.reactivated',
        teamId,
        actorId: newId(),
        target: newId(),
        origin: JOB_ORIGIN,
      }),
    );
}

const seal = () => sealAuditRows(node.db, secrets);
const verify = (expect?: string, team?: string) => verifyAuditLog(node.db, secrets, { team, expect });

/** The owner of the tables can disable every trigger temporarily. */
async function tamper(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await node.db.transaction().execute(async (trx) => {
    for (const table of ['audit_events', 'audit_chain'])
      await sql`alter table ${sql.table(table)} disable trigger all`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
    for (const table of ['audit_events', 'audit_chain'])
      await sql`alter table ${sql.table(table)} enable trigger all`.execute(trx);
  });
}

/** Changes of the tables are undone after the test. */
async function aChain(rows = 5) {
  const teamId = await createTeam(node);
  await write(teamId, rows);
  await seal();
  const { rows: links } = await sql<{ id: string }>`select event_id as id from audit_chain
    where team_id = ${teamId} order by position`.execute(node.db);
  const tables = ['audit_events', 'audit_chain', 'audit_heads', 'audit_server_head', 'audit_pending'];
  for (const table of tables)
    await sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`.execute(node.db);
  onTestFinished(async () => {
    const back = tables.flatMap((table) => [
      sql`delete from ${sql.table(table)}`,
      sql`insert into ${sql.table(table)} select * from ${sql.table(`kept_${table}`)}`,
      sql`drop table ${sql.table(`kept_${table}`)}`,
    ]);
    await tamper(...back);
    assert.deepEqual((await verify()).faults, []);
  });
  assert.deepEqual((await verify()).faults, []);
  return { teamId, ids: links.map(({ id }) => id) };
}

const firstFault = async () => {
  const [first] = (await verify()).faults;
  return [first?.team_id, first?.id, first?.problem];
};

test('the chains of several teams and the server’s own are intact, with concurrent writers and sealers', async () => {
  const teams = [await createTeam(node), await createTeam(node), ''];
  const writing = Array.from({ length: 6 }, (_, nth) => write(teams[nth % 3] ?? '', 6));
  const sealing = Array.from({ length: 6 }, seal);
  await Promise.all([...writing, ...sealing]);
  await seal();
  const { faults, heads, waiting, rows } = await verify();
  assert.deepEqual([faults, waiting], [[], 0]);
  for (const team of teams) assert.equal(heads.find(({ team_id }) => team_id === team)?.count, 12);
  assert.equal(
    rows,
    heads.reduce((sum, { count }) => sum + count, 0),
  );
});

test('a row with another actor, action, target or time is named', async () => {
  const { teamId, ids } = await aChain();
  for (const set of [
    sql`actor_id = 'x'`,
    sql`action = 'users.removed'`,
    sql`target = null`,
    sql`at = at + interval '1 microsecond'`,
  ]) {
    await tamper(sql`update audit_events set ${set} where id = ${ids[2]}`);
    assert.deepEqual(await firstFault(), [teamId, ids[2], 'the row at position 3 was changed']);
    await tamper(
      sql`delete from audit_events where id = ${ids[2]}`,
      sql`insert into audit_events select * from kept_audit_events where id = ${ids[2]}`,
    );
    assert.deepEqual((await verify()).faults, []);
  }
});

test('details that were changed are named, unless the team erased a person', async () => {
  const { teamId, ids } = await aChain();
  await tamper(sql`update audit_events set details = '{"v": 1, "more": 1}' where id = ${ids[1]}`);
  assert.deepEqual(await firstFault(), [teamId, ids[1], 'details of the row were changed']);
  const row = { team_id: teamId, id: newId(), actor_id: null, action: 'users.erased', target: null };
  await sql`insert into audit_events (team_id, id, action, address, request_id, signature)
    values (${teamId}, ${row.id}, ${row.action}, '', '', ${signEvent(getCurrentKey(secrets), row)})`.execute(node.db);
  await sql`insert into audit_pending values (${teamId}, ${row.id})`.execute(node.db);
  await seal();
  const { faults, rewritten } = await verify();
  assert.deepEqual([faults, rewritten], [[], 1]);
});

test('a row that was removed from the middle is named, alone or with its place in the chain', async () => {
  const { teamId, ids } = await aChain();
  await tamper(sql`delete from audit_events where id = ${ids[2]}`);
  assert.deepEqual(await firstFault(), [teamId, ids[2], 'the row at position 3 was removed']);
  await tamper(sql`delete from audit_chain where event_id = ${ids[2]}`);
  assert.deepEqual(await firstFault(), [
    teamId,
    ids[1],
    'rows after this one are missing: position 2 is followed by 4',
  ]);
});

test('rows that were removed from the end are noticed by the head, and by a digest kept elsewhere', async () => {
  const { teamId, ids } = await aChain();
  const { digest, heads } = await verify();
  await tamper(
    sql`delete from audit_events where id = any(${ids.slice(3)})`,
    sql`delete from audit_chain where event_id = any(${ids.slice(3)})`,
  );
  assert.deepEqual(await firstFault(), [teamId, ids[2], 'rows after this one are missing: there were 5, there are 3']);
  await tamper(sql`delete from audit_heads where team_id = ${teamId}`);
  assert.deepEqual(await firstFault(), [teamId, ids[2], 'the head of the chain is missing']);
  for (const expect of [digest, heads.find(({ team_id }) => team_id === teamId)?.digest])
    assert.ok((await verify(expect)).faults.some(({ problem }) => problem === `no row has the digest ${expect}`));
});

test('a whole team that was removed is noticed', async () => {
  const { teamId } = await aChain();
  await tamper(
    ...['audit_events', 'audit_chain', 'audit_heads'].map(
      (table) => sql`delete from ${sql.table(table)} where team_id = ${teamId}`,
    ),
  );
  assert.match(String((await firstFault())[2]), /^rows are missing: there were \d+ in all teams/);
});

test('an old copy of the tables is noticed by a digest kept elsewhere, and only by that', async () => {
  const { teamId } = await aChain();
  await write(teamId);
  await seal();
  const { digest, heads } = await verify();
  const ofTeam = heads.find(({ team_id }) => team_id === teamId)?.digest;
  assert.deepEqual((await verify(ofTeam, teamId)).faults, []);
  await write(teamId);
  await seal();
  assert.deepEqual((await verify(digest)).faults, []);
  for (const table of ['audit_events', 'audit_chain', 'audit_heads', 'audit_server_head'])
    await tamper(
      sql`delete from ${sql.table(table)}`,
      sql`insert into ${sql.table(table)} select * from ${sql.table(`kept_${table}`)}`,
    );
  assert.deepEqual((await verify()).faults, []);
  assert.equal((await verify(digest)).faults[0]?.problem, `no row has the digest ${digest}`);
  assert.equal((await verify(ofTeam, teamId)).faults[0]?.problem, `no row has the digest ${ofTeam}`);
});

test('a row that was added past the server is named, however it was added', async () => {
  const { teamId, ids } = await aChain();
  const insert = (id: string, signature: string | null) =>
    sql`insert into audit_events (team_id, id, action, address, request_id, signature)
      values (${teamId}, ${id}, 'users.removed', '', '', ${signature})`;
  await tamper(insert(newId(), null));
  assert.match(String((await firstFault())[2]), /^there were 0 rows from before the chain, there are 1$/);
  const stolen = await node.db
    .selectFrom('audit_events')
    .select('signature')
    .where('id', '=', ids[0] ?? '')
    .executeTakeFirstOrThrow();
  const copied = newId();
  await tamper(insert(copied, stolen.signature), sql`insert into audit_pending values (${teamId}, ${copied})`);
  const isNamed = async (added: string) =>
    (await verify()).faults.some(
      ({ id, problem }) => id === added && problem === 'the row was not added by the server',
    );
  assert.ok(await isNamed(copied), 'while it waits');
  assert.equal((await seal()).refused, 1);
  assert.ok(await isNamed(copied), 'after it was refused');
  await write(teamId);
  const [{ event_id: signed = '' } = {}] = (
    await sql<{ event_id: string }>`select event_id from audit_pending where team_id = ${teamId}`.execute(node.db)
  ).rows;
  assert.ok(!(await isNamed(signed)), 'the server’s own row waits');
  await tamper(sql`delete from audit_pending where event_id = ${signed}`);
  assert.ok(await isNamed(signed), 'a row with a signature of the server that is neither waiting nor in the chain');
  await tamper(sql`delete from audit_events where id = ${signed}`);
  const chained = newId();
  await tamper(
    insert(chained, null),
    sql`insert into audit_chain select team_id, position + 1, number + 1, ${chained}, key_id, content, digest
      from audit_chain where event_id = ${ids.at(-1)}`,
  );
  assert.deepEqual(await firstFault(), [teamId, chained, 'the row at position 6 was changed']);
});

test('two rows that were swapped are named, whether in the log or in the chain', async () => {
  const { teamId, ids } = await aChain();
  const swap = (table: 'audit_events' | 'audit_chain', column: 'id' | 'event_id') =>
    tamper(
      sql`update ${sql.table(table)} set ${sql.ref(column)} = 'x' where ${sql.ref(column)} = ${ids[1]}`,
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${ids[1]} where ${sql.ref(column)} = ${ids[3]}`,
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${ids[3]} where ${sql.ref(column)} = 'x'`,
    );
  await swap('audit_events', 'id');
  assert.deepEqual(await firstFault(), [teamId, ids[1], 'the row at position 2 was changed']);
  await swap('audit_events', 'id');
  await swap('audit_chain', 'event_id');
  assert.deepEqual(await firstFault(), [teamId, ids[3], 'the row at position 2 was changed']);
});

test('a head that was moved back is noticed', async () => {
  const { teamId, ids } = await aChain();
  await tamper(
    sql`delete from audit_events where id = ${ids[4]}`,
    sql`delete from audit_chain where event_id = ${ids[4]}`,
    sql`update audit_heads set count = 4, digest = (select digest from audit_chain where event_id = ${ids[3]})
      where team_id = ${teamId}`,
  );
  assert.deepEqual(await firstFault(), [teamId, ids[3], 'the head of the chain was changed']);
});

test('a process that is killed while sealing leaves each row in the chain or waiting', async () => {
  const teamId = await createTeam(node);
  await write(teamId, 3);
  // The connection is lost in the middle of the transaction.
  await sql`create function fail_link() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(node.db);
  await sql`create trigger fail_link after insert on audit_chain execute function fail_link()`.execute(node.db);
  await assert.rejects(seal());
  await sql`drop trigger fail_link on audit_chain`.execute(node.db);
  const between = await verify();
  assert.deepEqual([between.faults, between.waiting], [[], 3]);
  await seal();
  const { faults, waiting, heads } = await verify();
  assert.deepEqual([faults, waiting, heads.find(({ team_id }) => team_id === teamId)?.count], [[], 0, 3]);
});

test('audit --verify names the first broken row and exits with 1; rows from before the chain are unverified, and from before another SECRET_KEY verifiable after rotate-key', async () => {
  await using other = await startApp({ work: false });
  const env = { DATABASE_URL: other.database.url, SECRET_KEY: KEY };
  const teamId = await createTeam(other);
  const early = newId();
  await sql`insert into audit_events (team_id, id, action, address, request_id)
    values (${teamId}, ${early}, 'users.removed', '', '')`.execute(other.db);
  const none = await runInProcess(['audit', '--verify'], env);
  assert.deepEqual([none.code, /there is no chain/.test(none.out)], [1, true], none.err);
  const event = { action: 'users.reactivated', teamId, actorId: null, target: 'a' } as const;
  await inTransaction(other.db, (trx) => addAuditEvent(trx, other.deps, { ...event, origin: JOB_ORIGIN }));
  await sealAuditRows(other.db, secrets);
  const right = await runInProcess(['audit', '--verify'], env);
  assert.equal(right.code, 0, right.out + right.err);
  assert.match(right.out, /1 rows in 1 chains; 1 from before the chain, unverified\./);
  const digest = /^Digest: ([0-9a-f]{64})$/m.exec(right.out)?.[1] ?? assert.fail(right.out);
  assert.equal((await runInProcess(['audit', '--verify', '--expect', digest], env)).code, 0);
  assert.equal((await runInProcess(['audit', '--verify', '--expect', '00'.repeat(32)], env)).code, 1);
  assert.equal((await runInProcess(['audit', '--expect', digest], env)).code, 1);
  await sql`alter table audit_events disable trigger all`.execute(other.db);
  await sql`update audit_events set target = 'b' where target = 'a'`.execute(other.db);
  const { code, out } = await runInProcess(['audit', '--verify', '--json'], env);
  const { faults, ok } = JSON.parse(out);
  assert.deepEqual(
    [code, ok, faults[0].team_id, faults[0].problem],
    [1, false, teamId, 'the row at position 1 was changed'],
  );

  await sql`update audit_events set target = 'a' where target = 'b'`.execute(other.db);
  await sql`alter table audit_events enable trigger all`.execute(other.db);
  const [older, newer] = [KEY, 'c7'.repeat(32)];
  await using changed = await startApp({ beside: other, work: false, secretKey: newer });
  await inTransaction(changed.db, (trx) => addAuditEvent(trx, changed.deps, { ...event, origin: JOB_ORIGIN }));
  // A process with only the old key leaves the new row to a process with the new key.
  assert.equal((await sealAuditRows(other.db, secrets)).unknown, 1);
  await sealAuditRows(changed.db, createSecrets(newer, older));
  const run = (SECRET_KEY: string, ...args: string[]) =>
    runInProcess(args, {
      DATABASE_URL: other.database.url,
      SECRET_KEY,
      SECRET_KEY_PREVIOUS: args[0] === 'audit' ? '' : older,
    });
  const without = await run(newer, 'audit', '--verify');
  assert.deepEqual([without.code, /key [0-9a-f]{16} can't be opened/.test(without.out)], [1, true], without.out);
  assert.equal((await run(newer, 'rotate-key')).code, 0);
  const after = await run(newer, 'audit', '--verify');
  assert.deepEqual(
    [after.code, /^2 rows in 1 chains; 1 from before the chain, unverified\./m.test(after.out)],
    [0, true],
    after.out + after.err,
  );
});
