import assert from 'node:assert/strict';
import { getMe, login } from '@steward/contract/session';
import { forceKill } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { call, type Reply } from '#testing/app/call.ts';
import { type AppWithPostgres, startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { totpFactor } from '#testing/factors/factors.ts';
import { type TestUser, user } from '#testing/workspace/factories.ts';

const KNOWN = { from: '198.51.100.7' };

let own: AppWithPostgres;

beforeAll(async () => {
  // Data of an asynchronous commit stays in memory for seconds here, and is lost if PostgreSQL is killed.
  own = await startAppWithPostgres({ settings: { wal_writer_delay: '10s' } });
});

afterAll(async () => {
  await own[Symbol.asyncDispose]();
});

const signIn = (who: TestUser, password = who.password): Promise<Reply> =>
  call(own.node, login, { body: { login_id: who.email, password }, ...KNOWN });

async function killPostgres(): Promise<void> {
  forceKill(own.postmaster() ?? assert.fail('PostgreSQL runs'));
  await own.start();
}

/** Counts the attempts recorded by the throttle. */
async function countChecks(): Promise<number> {
  const { rows } = await sql<{ points: number }>`select coalesce(sum(points), 0)::int as points from throttles
    where key like 'session.login:%'`.execute(own.node.db);
  return rows[0]?.points ?? 0;
}

test('after kill -9 of PostgreSQL, an acknowledged sign-in holds, and attempts that were answered are still counted', async () => {
  const { node } = own;
  const [who, guarded] = [await user(node), await user(node)];
  await totpFactor(node, guarded.id);

  const reply = await signIn(who);
  assert.equal(reply.status, 200, reply.text);
  await killPostgres();
  const cookie = reply.setCookies.map((each) => each.split(';')[0]).join('; ');
  assert.equal((await call(node, getMe, { headers: { cookie } })).status, 200, 'the session is there');
  assert.equal(await countChecks(), 0, 'a success leaves no count');

  assert.equal((await signIn(who, 'a wrong password')).status, 401);
  await killPostgres();
  assert.equal(await countChecks(), 1, 'a wrong password is counted');

  assert.equal((await signIn(guarded)).body.id, 'mfa.required');
  await killPostgres();
  assert.equal(await countChecks(), 2, 'so is a right one that lacks its code');
});
