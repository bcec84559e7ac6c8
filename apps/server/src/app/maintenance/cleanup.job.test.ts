import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { RETIRED_JOBS } from '#platform/jobs/jobs.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp } from '#testing/app/start-app.ts';
import { signIn, user } from '#testing/workspace/factories.ts';
import { createSignUp, finishLink } from '#testing/workspace/signup.ts';
import { upsertKnownAddress } from '#workspace/access/sessions/known-devices.store.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';

test('the cleanup removes expired rows, keeps the others, and can be repeated', async () => {
  await using node = await startApp({ work: false });
  const { db, throttle } = node.deps;
  const who = await user(node);
  const [idle, old, live] = [await signIn(node, who), await signIn(node, who), await signIn(node, who)];
  const rows = await db.selectFrom('sessions').select('id').orderBy('created_at').execute();
  await sql`update sessions set active_at = now() - interval '61 minutes' where id = ${rows[0]?.id}`.execute(db);
  await sql`update sessions set created_at = now() - interval '25 hours' where id = ${rows[1]?.id}`.execute(db);
  await inTransaction(db, async (trx) => {
    for (const kind of ['reset', 'reset', 'invite', 'invite', 'invite'] as const)
      await addLink(trx, { kind, userId: who.id, teamId: null });
    await upsertKnownAddress(who.id, '192.0.2.1', sql``).execute(trx);
    await upsertKnownAddress(who.id, '192.0.2.2', sql``).execute(trx);
  });
  // Other links say for a week why they ended.
  await sql`update links set expires_at = now() - make_interval(days => case when ended is null then 8 else 6 end)
    where kind = 'reset'`.execute(db);
  // Screens show expired invitations for a month: one is valid, one expired 29 days ago, one 31.
  await sql`update links l set expires_at = now() + make_interval(days => 1 - 30 * o.n) from (
      select token_hash, row_number() over (order by token_hash)::int - 1 as n from links where kind = 'invite') o
    where o.token_hash = l.token_hash`.execute(db);
  await sql`insert into mails (id, kind, recipient, state, created_at)
    select state || days, 'tests.mail', 'x', state, now() - make_interval(days => days)
    from unnest(array['sent', 'failed']) state, unnest(array[6, 8, 31]) days`.execute(db);
  await sql`insert into notices (team_id, id, kind, sealed, recipients, created_at)
    select m.team_id, days::text, 'x', '', '{}', now() - make_interval(days => days)
    from memberships m, unnest(array[29, 31]) days where m.person_id = ${who.id}`.execute(db);
  await sql`update known_addresses set seen_at = now() - interval '91 days' where address = '192.0.2.1'`.execute(db);
  await throttle.allows({ name: 'a', attempts: 1, seconds: 60 }, 'over');
  await sql`update throttles set expire = ${Date.now() - 1}`.execute(db);
  await throttle.allows({ name: 'a', attempts: 1, seconds: 60 }, 'running');

  for (let i = 0; i < 2; i += 1) {
    await cleanUp(node);
    const { rows: left } = await sql<
      Record<string, number | string>
    >`select (select count(*) from sessions) as sessions,
      (select count(*) from links) as links, (select count(*) from known_addresses) as addresses,
      (select count(*) from throttles) as throttles, (select string_agg(id, ' ' order by id) from mails) as mails,
      (select string_agg(id, ' ') from notices) as notices`.execute(db);
    assert.deepEqual(left, [
      { sessions: 1, links: 3, addresses: 1, throttles: 1, mails: 'failed6 failed8 sent6', notices: '29' },
    ]);
  }
  assert.equal(new Set([idle.token, old.token, live.token]).size, 3);
});

test('the cleanup removes expired sign-ups, used or not, keeps the others, and can be repeated', async () => {
  await using node = await startApp({ work: false });
  const [over, used, live] = [
    await createSignUp(node),
    await createSignUp(node, { checked: true }),
    await createSignUp(node, { checked: true }),
  ];
  for (const { token } of [used, live]) assert.equal((await finishLink(node, token)).status, 200);
  const gone = [over.owner_email, used.owner_email];
  await sql`update signups set expires_at = now() - interval '1 s' where owner_email = any(${gone})`.execute(node.db);
  for (let i = 0; i < 2; i += 1) {
    await cleanUp(node);
    const left = await node.db.selectFrom('signups').select('owner_email').execute();
    assert.deepEqual(left, [{ owner_email: live.owner_email }]);
  }
});

test('a table that cannot be cleaned up is reported and keeps no other from it', async () => {
  await using node = await startApp({ work: false });
  const { db, throttle } = node.deps;
  await throttle.allows({ name: 'a', attempts: 1, seconds: 60 }, 'over');
  await sql`update throttles set expire = ${Date.now() - 1}`.execute(db);
  await sql`alter table links rename to links_elsewhere`.execute(node.db);
  await assert.rejects(cleanUp(node), /^Error: could not remove old rows of links$/);
  assert.deepEqual(await db.selectFrom('throttles').selectAll().execute(), []);
  assert.ok(node.log.some((line) => line.includes('cleanup: could not remove old rows')));
});

test('a start removes the queues and schedules of the cleanup jobs of earlier versions, with their jobs', async () => {
  await using node = await startApp({ work: false });
  const boss = new PgBoss({ connectionString: node.database.url, supervise: false, schedule: false });
  await boss.start();
  for (const name of RETIRED_JOBS) {
    await boss.createQueue(name);
    await boss.schedule(name, '27 * * * *', {});
    await boss.send(name, {});
  }
  await boss.stop();
  const count = async () => {
    const { rows } = await sql<{ name: string; count: number }>`
      select kind as name, count(name)::int as count from (
        select 'queue' as kind, name from pgboss.queue union all select 'schedule', name from pgboss.schedule
        union all select 'job', name from pgboss.job) stored
      where name = any(${[...RETIRED_JOBS]}::text[]) group by kind order by kind`.execute(node.db);
    return rows.map(({ count }) => count);
  };
  assert.deepEqual(await count(), [7, 7, 7]);
  {
    await using _ = await startApp({ beside: node, work: false });
  }
  assert.deepEqual(await count(), []);
});
