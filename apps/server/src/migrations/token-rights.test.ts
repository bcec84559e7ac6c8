import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { createDatabase, createPool, type Database } from '#platform/database/database.ts';
import { firstId } from '#platform/database/ids.ts';
import { migrate } from '#platform/database/migrate.ts';
import { emptyDatabase } from '#testing/database/template-database.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';

const NOW = Date.now();
const DAY = 86_400_000;
const RECENT = firstId(NOW - DAY);
const LONG_AGO = firstId(NOW - 40 * DAY);

async function addTeam(db: Database, id: string): Promise<void> {
  await sql`insert into teams (id, display_name, create_at) values (${id}, ${id}, 0)`.execute(db);
}

const addToken = (db: Database, team: string, { name, usedDaysAgo }: { name: string; usedDaysAgo: number | null }) =>
  sql`insert into service_tokens (team_id, id, name, token_hash, last_used_at)
    values (${team}, ${name}, ${name}, ${team + name}, now() - make_interval(days => ${usedDaysAgo}::int))`.execute(db);

const addRecord = (db: Database, team: string, row: { id: string; kind: string; user?: string; updateAt?: number }) =>
  sql`insert into records (team_id, kind, id, external_id, user_id, size, create_at, update_at)
    values (${team}, ${row.kind}, ${row.id}, ${row.id}, ${row.user ?? ''}, 0, 5, ${row.updateAt ?? 5})`.execute(db);

const addMessage = (db: Database, team: string, { id, externalId }: { id: string; externalId: string | null }) =>
  sql`insert into messages (team_id, id, channel_id, channel_type, user_id, external_id, text, size, create_at, update_at)
    values (${team}, ${id}, 'c', 'O', 'u', ${externalId}, 'x', 1, 5, 5)`.execute(db);

test('existing tokens get the narrowest rights that keep what they did in 30 days, and end in a year', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0019-privacy');
  for (const id of ['a', 'b', 'c', 'd']) await addTeam(db, id);
  for (const team of ['a', 'b', 'c', 'd']) await addToken(db, team, { name: 'used', usedDaysAgo: 1 });
  await addToken(db, 'a', { name: 'unused', usedDaysAgo: 31 });
  await addToken(db, 'a', { name: 'never', usedDaysAgo: null });
  // Added recently, changed recently, and neither; a message of a person isn't of a service.
  await addRecord(db, 'a', { id: RECENT, kind: 'task' });
  await addRecord(db, 'a', { id: LONG_AGO, kind: 'call', updateAt: NOW - DAY });
  await addRecord(db, 'a', { id: LONG_AGO, kind: 'note', user: 'u' });
  await addMessage(db, 'a', { id: RECENT, externalId: null });
  await addMessage(db, 'b', { id: RECENT, externalId: 'x' });
  // Only repeats what was there before.
  await addRecord(db, 'c', { id: LONG_AGO, kind: 'voicemail' });

  for (const _ of ['once', 'and, after it was killed, again']) {
    assert.deepEqual(await migrate(db, '0020-token-rights'), ['0020-token-rights']);
    await sql`delete from kysely_migration where name = '0020-token-rights'`.execute(db);
  }
  const { rows } = await sql<{ team_id: string; name: string; kinds: string[]; speaks: boolean }>`
    select team_id, name, kinds, speak_for_users as speaks from service_tokens order by 1, 2`.execute(db);
  assert.deepEqual(rows, [
    { team_id: 'a', name: 'never', kinds: [], speaks: false },
    { team_id: 'a', name: 'unused', kinds: [], speaks: false },
    { team_id: 'a', name: 'used', kinds: ['task', 'call'], speaks: false },
    { team_id: 'b', name: 'used', kinds: ['message'], speaks: true },
    { team_id: 'c', name: 'used', kinds: ['voicemail'], speaks: false },
    { team_id: 'd', name: 'used', kinds: [], speaks: false },
  ]);
  const { rows: facts } =
    await sql`select count(distinct source_id)::int as sources, bool_or(owners_notified) as notified,
    bool_and(expires_at between now() + interval '364 days' and now() + interval '367 days') as in_a_year
    from service_tokens`.execute(db);
  assert.deepEqual(facts, [{ sources: 6, notified: false, in_a_year: true }]);
  const { rows: indexes } = await sql<{ name: string }>`select indexrelid::regclass::text as name from pg_index
    where indrelid in ('messages'::regclass, 'files'::regclass, 'records'::regclass)
      and (indexrelid::regclass::text ~ 'source|external_id' or not indisvalid) order by 1`.execute(db);
  assert.deepEqual(
    indexes.map(({ name }) => name),
    ['files', 'messages', 'records'].flatMap((table) => [`${table}_by_source`, `${table}_without_source`]),
  );
});

test('content can be written while its indexes are built', async () => {
  await using empty = await emptyDatabase();
  const open = () => createDatabase(createPool(empty.connection, { max: 3, name: 'migrate test', unlimited: true }));
  await using db = open();
  await using migrating = open();
  await migrate(db, '0019-privacy');
  await addTeam(db, 'a');
  let migrated: Promise<string[]> | undefined;
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      // The build waits for this snapshot, and doesn't make others wait for itself.
      await sql`select count(*) from teams`.execute(trx);
      migrated = migrate(migrating, '0020-token-rights');
      await waitForLockWaiter({ db }, 'create unique index concurrently messages_by_source');
      await db.connection().execute(async (other) => {
        await sql`set lock_timeout = '1s'`.execute(other);
        await addMessage(other, 'a', { id: RECENT, externalId: 'x' });
      });
    });
  assert.deepEqual(await migrated, ['0020-token-rights']);
  const { rows } = await sql`select source_id from messages`.execute(db);
  assert.deepEqual(rows, [{ source_id: null }]);
});
