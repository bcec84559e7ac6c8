import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp } from '#testing/app/start-app.ts';
import { PASSWORD, user } from '#testing/workspace/factories.ts';
import { removeUserSessions } from './sessions/sessions.store.ts';

test('a sign-in that checked the old password starts no session after a reset has committed', async () => {
  await using node = await startApp({ work: false, pool: 3 });
  const who = await user(node);
  const reset = await node.db.startTransaction().execute();
  await sql`update people set password_hash = 'another' where id = ${who.id}`.execute(reset);
  await removeUserSessions(reset as never, who.id);

  // The check still reads the old hash; the sign-in then waits for the reset to commit.
  const signingIn = call(node, login, { body: { login_id: who.email, password: PASSWORD } });
  const waiting = () =>
    sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`.execute(node.db);
  while ((await waiting()).rows.length === 0);
  await reset.commit().execute();

  assert.equal((await signingIn).status, 401);
  const { rows } = await sql`select 1 from sessions where person_id = ${who.id}`.execute(node.db);
  assert.deepEqual(rows, []);
});
