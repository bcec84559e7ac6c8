import assert from 'node:assert/strict';
import { addEntries, listEntries } from '@steward/contract/directory';
import { getMe } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { parseServerEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type TestDatabase, testDatabase } from '#testing/database/template-database.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { type Pooler, startPgBouncer, WITHOUT_PGBOUNCER } from '#testing/system/pgbouncer.ts';
import { describeUnless } from '#testing/system/unless.ts';
import { channel, ingest, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { formatFailure } from './format-failure.ts';
import { startServer } from './start.ts';

describeUnless(WITHOUT_PGBOUNCER, 'through PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let node: TestApp;

  beforeAll(async () => {
    database = await testDatabase();
    pooler = await startPgBouncer(database.url, { size: 2 });
    node = await startApp({
      database: { ...database, pooler: { connectionString: pooler.url } },
      pool: 12,
    });
  });

  afterAll(async () => {
    await node?.[Symbol.asyncDispose]();
    await pooler?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  test('twelve connections share two, and every kind of call and job works', async () => {
    const team = await createTeamWithMembers(node);
    const params = { teamId: team.id };
    const [service, { id: channel_id }] = [await serviceToken(node, team.id), await channel(node, team.id)];
    const content = { kind: 'message', created_at: 1_000, channel_id, user_id: team.member.id, text: 'Hello' };
    const rounds = Array.from({ length: 5 }, (_, at): Promise<Reply>[] => [
      call(node, getMe, { as: team.member }),
      call(node, listUsers, { as: team.admin, params }),
      call(node, saveUser, { as: team.admin, params, body: { email: `new-${at}@example.test`, account_type: 2 } }),
      call(node, addEntries, { as: team.admin, params, body: [{ name: `Entry ${at}` }] }),
      call(node, listEntries, { as: team.admin, params, query: { search_text: 'entry' } }),
    ]);
    const replies = await Promise.all([...rounds.flat(), ingest(node, service, [{ ...content, external_id: 'a' }])]);
    const refused = replies.filter(({ status }) => status !== 200).map(({ text }) => text);
    assert.deepEqual(refused, []);
    await settled(node);
    for (let at = 0; at < 5; at += 1) assert.equal(node.inbox.waiting(`new-${at}@example.test`).length, 1);
    // The queue would say that it can't be notified of new jobs.
    assert.doesNotMatch(node.log.join('\n'), /LISTEN/);
  });

  test('connections have the time limits of the product, and no prepared statements', async () => {
    const { rows } = await sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
      (select count(*)::int from pg_prepared_statements) as prepared`.execute(node.deps.db);
    assert.deepEqual(rows, [{ statement: '4300ms', lock: '2s', idle: '10s', prepared: 0 }]);
  });

  test('a server starts with the address of the pooler and the direct one', async () => {
    await using server = await start({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url });
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  test('a server does not start where the pooler has no time limits, and says what to add', async () => {
    for (const connectQuery of ['', 'set statement_timeout = 4300; set lock_timeout = 60000']) {
      await using open = await startPgBouncer(database.url, { connectQuery });
      await assert.rejects(
        start({ DATABASE_URL: open.url, DATABASE_DIRECT_URL: database.url }),
        /limit idle_in_transaction_session_timeout, lock_timeout.*connect_query='set statement_timeout = 4300; set /,
      );
    }
  });

  test('without the direct address, a server says which setting is missing', async () => {
    const error = await start({ DATABASE_URL: pooler.url }).catch((reason: unknown) => reason);
    assert.match(formatFailure(error), /set DATABASE_DIRECT_URL/);
  });

  async function start(more: Record<string, string>): Promise<AsyncDisposable & { url: string }> {
    const { FILES_URL = '' } = node.deps.env;
    const fixed = { FILES_URL, PUBLIC_URL: 'http://localhost', SECRET_KEY: '5e'.repeat(32), ALLOW_INSECURE: '1' };
    const env = parseServerEnv({ ...fixed, PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '0', ...more });
    const server = await startServer({ env, log: createLog('silent'), repository: import.meta.dirname });
    return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
  }
});
