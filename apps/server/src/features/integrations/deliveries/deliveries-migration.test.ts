import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { addDelivery, type NewDelivery } from '#features/integrations/deliveries/deliveries.store.ts';
import { createDatabase, createPool, inTransaction } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { emptyDatabase } from '#testing/database/template-database.ts';

test('an integration and its deliveries stay as they are, and a repeat of an earlier delivery is recognized', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0035-sign-ins-of-sessions');
  await sql`insert into teams (id, display_name, create_at) values ('t', 'Team', 0)`.execute(db);
  await sql`insert into integrations (team_id, id, code, state, domain, username, authentication, credentials, path_hash,
      path_key, signing_secret, message)
    values ('t', 'i', 'webhook', 'on', '', '', 2, 'sealed', 'hash', 'key', 'secret', '{{ title }}')`.execute(db);
  await sql`insert into deliveries (team_id, id, integration_id, invocation_id, headers, body, text, state)
    values ('t', 'd', 'i', 'first', '{}', '{"title":"x"}', 'x', 'posted')`.execute(db);
  const read = async () => (await sql<object>`select * from integrations`.execute(db)).rows[0];
  const before = await read();

  for (const _ of ['once', 'and, after it was killed, again']) {
    assert.ok((await migrate(db, '0038-webhooks')).includes('0038-webhooks'));
    await sql`delete from kysely_migration where name = '0038-webhooks'`.execute(db);
  }
  assert.deepEqual(await read(), { ...before, refused_count: 0, refused_reason: '', refused_at: null });

  const delivery: NewDelivery = { id: '', invocationId: '', headers: {}, body: '{}', text: 'x', note: '', error: '' };
  const place = { teamId: 't', integrationId: 'i' };
  for (const [id, invocationId] of [
    ['e', 'first'],
    ['f', 'first'],
    ['g', 'second'],
  ] as const)
    await inTransaction(db, (trx) => addDelivery(trx, place, { ...delivery, id, invocationId }));
  const { rows } = await sql`select id, is_repeat from deliveries order by id`.execute(db);
  assert.deepEqual(rows, [
    { id: 'd', is_repeat: false },
    { id: 'e', is_repeat: true },
    { id: 'f', is_repeat: true },
    { id: 'g', is_repeat: false },
  ]);
});
