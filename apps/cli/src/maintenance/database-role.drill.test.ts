import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { killableServer } from '@steward/server/testing/app/killable-server.ts';
import { runWorkspace } from '@steward/server/testing/app/programs.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { type Cluster, createClusterDir, WITHOUT_PROGRAMS } from '@steward/server/testing/database/system-postgres.ts';
import type { ProgramResult } from '@steward/server/testing/system/run-program.ts';
import { describeUnless } from '@steward/server/testing/system/unless.ts';
import pg from 'pg';
import { afterAll, beforeAll, test } from 'vitest';

const ROLE = 'steward_server';
const SECRET_KEY = '5e'.repeat(32);
const INSUFFICIENT_PRIVILEGE = '42501';

describeUnless(WITHOUT_PROGRAMS, 'a server whose database role owns nothing', () => {
  let clusters: ReturnType<typeof createClusterDir>;
  let cluster: Cluster;
  let dir: ReturnType<typeof temporaryDir>;
  /** DATABASE_URL of the server. */
  let url: string;
  /** The commands that prepared the database, in this order. */
  let early: ProgramResult;
  let granted: ProgramResult;
  let made: ProgramResult;

  beforeAll(async () => {
    clusters = createClusterDir();
    cluster = await clusters.newCluster('roles');
    dir = temporaryDir();
    await asSuperuser(`create role ${ROLE} login password 'secret'`);
    url = Object.assign(new URL(cluster.url), { username: ROLE, password: 'secret' }).href;
    const create = ['create-team', '--name', 'Northwind', '--owner-email', 'ops@example.test'];
    early = await run(url, ...create);
    granted = await run(cluster.url, 'migrate', '--grant', ROLE);
    made = await run(url, ...create);
  });

  afterAll(async () => {
    await clusters[Symbol.asyncDispose]();
    await dir[Symbol.asyncDispose]();
  });

  async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  const asSuperuser = (text: string) => {
    const database = new URL(cluster.url).pathname;
    return query(Object.assign(new URL(cluster.superuserUrl), { pathname: database }).href, text);
  };
  const asServer = (text: string) => query(url, text);
  const FILES_URL = () => pathToFileURL(dir.path).href;
  const run = (DATABASE_URL: string, ...args: string[]) =>
    runWorkspace(args, { DATABASE_URL, SECRET_KEY, FILES_URL: FILES_URL() });

  const server = (databaseUrl: string) =>
    killableServer(
      { database: { url: databaseUrl }, deps: { env: { FILES_URL: FILES_URL() } as TestApp['deps']['env'] } },
      { roles: 'web,worker' },
    );

  test('fails with the command to run while the schema is not up to date', () => {
    assert.equal(early.code, 1);
    assert.match(
      early.err,
      /the database role may not change the schema\. Run it as the owner of the tables: npm run workspace -- migrate --grant/,
    );
  });

  test('cannot be one that is missing, owns the tables or may do anything', async () => {
    for (const [role, reason] of [
      ['nobody_here', /There is no database role nobody_here/],
      ['steward', /owns the tables or may do anything/],
      ['postgres', /owns the tables or may do anything/],
      ['', /must not be empty/],
    ] as const) {
      const { code, err } = await run(cluster.url, 'migrate', '--grant', role);
      assert.equal(code, 1, role);
      assert.match(err, reason);
    }
  });

  test('runs, signs its audit log, and can be upgraded by the owner again', async () => {
    assert.equal(granted.code, 0, granted.err);
    assert.match(granted.out, /The role steward_server can run a server\./);
    assert.equal((await run(cluster.url, 'migrate', '--grant', ROLE)).code, 0, 'again');
    using running = server(url);
    const address = await running.start();
    assert.equal(made.code, 0, made.err);
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    while ((await asSuperuser('select 1 from audit_pending')).length > 0) await pause(50);
    const verified = await run(url, 'audit', '--verify');
    assert.equal(verified.code, 0, verified.out);
    assert.match(verified.out, /The audit log is intact/);
    const backup = await run(url, 'backup', `${dir.path}/whole.backup`);
    assert.equal(backup.code, 0, backup.err);
    assert.equal(await running.stop(), 0);
  });

  test('can neither change the audit log nor switch off what guards it', async () => {
    const [{ count } = { count: 0 }] = await asServer('select count(*)::int as count from audit_events');
    assert.ok(Number(count) > 0);
    for (const statement of [
      `update audit_events set action = 'users.edited'`,
      'delete from audit_events',
      'truncate audit_events',
      'update audit_chain set digest = digest',
      'delete from audit_chain',
      'truncate audit_chain',
      'alter table audit_events disable trigger all',
      'drop trigger audit_events_final on audit_events',
      'drop table audit_events',
      'alter table audit_events add column hidden text',
      'create table notes (id int)',
      'create rule quiet as on insert to audit_events do instead nothing',
      `create or replace function audit_chain_is_final() returns trigger language plpgsql as 'begin return null; end'`,
      'drop function erase_audit_rows',
      'drop schema public cascade',
      'create schema other',
      `set session_replication_role = 'replica'`,
      'set role steward',
      'delete from kysely_migration',
      'drop table pgboss.job cascade',
    ])
      await assert.rejects(
        asServer(statement),
        ({ code, message }: Error & { code: string }) => {
          assert.equal(code, INSUFFICIENT_PRIVILEGE, `${statement}: ${message}`);
          return true;
        },
        statement,
      );
    const [after] = await asServer('select count(*)::int as count from audit_events');
    assert.equal(after?.count, count);
  });

  test('starts without any change of the schema, as the owner does when nothing is pending', async () => {
    await asSuperuser(`create table seen_ddl (tag text);
      create function note_ddl() returns event_trigger language plpgsql security definer as $$
        begin insert into seen_ddl values (tg_tag); end $$;
      create event trigger note_ddl on ddl_command_end execute function note_ddl()`);
    for (const databaseUrl of [url, cluster.url]) {
      using running = server(databaseUrl);
      await running.start();
      assert.equal(await running.stop(), 0);
    }
    assert.deepEqual(await asSuperuser('select * from seen_ddl'), []);
    await asSuperuser('create table really (id int)');
    assert.deepEqual(await asSuperuser('select * from seen_ddl'), [{ tag: 'CREATE TABLE' }], 'it would be seen');
  });
});
