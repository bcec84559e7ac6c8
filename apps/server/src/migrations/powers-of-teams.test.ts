import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { emptyDatabase } from '#testing/database/template-database.ts';

test('owners with a second factor are named, and accounts know the team whose provider created them', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0033-fold-stored-names');
  await sql`insert into teams (id, display_name, create_at) values ('a', 'A', 0), ('b', 'B', 0)`.execute(db);
  const owner = '{team_user,team_admin,team_owner}';
  for (const [id, roles, isGone] of [
    ['app', owner, false],
    ['key', owner, false],
    ['pending', owner, false],
    ['none', owner, false],
    ['gone', owner, true],
    ['admin', '{team_user,team_admin}', false],
  ] as const) {
    await sql`insert into people (id, email, create_at, update_at) values (${id}, ${`${id}@x.test`}, 0, 0)`.execute(db);
    await sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at, deactivated, deactivated_at)
      values ('a', ${id}, ${roles}, '', '', 0, ${isGone}, ${isGone ? 1 : null})`.execute(db);
  }
  await sql`insert into totp_factors (person_id, secret, confirmed_at) values ('app', 'x', now()), ('pending', 'x', null),
    ('gone', 'x', now()), ('admin', 'x', now())`.execute(db);
  await sql`insert into passkeys (id, person_id, credential_id, public_key, counter, device_type, backed_up, name)
    values ('1', 'key', '1', 'x', 0, 'x', false, 'x')`.execute(db);
  const event = (id: string, action: string, target: string, details: object) =>
    sql`insert into audit_events (team_id, id, action, target, details, address, request_id)
      values ('b', ${id}, ${action}, ${target}, ${JSON.stringify(details)}, '', '')`.execute(db);
  await event('1', 'scim.user_added', 'app', { joined_as: 'created' });
  await event('2', 'scim.user_added', 'key', { joined_as: 'linked' });
  await event('3', 'sso.joined', 'none', {});

  await migrate(db, '0034-powers-of-teams');

  const { rows: named } = await sql`select team_id, person_id from break_glass_owners order by 2`.execute(db);
  assert.deepEqual(named, [
    { team_id: 'a', person_id: 'app' },
    { team_id: 'a', person_id: 'key' },
  ]);
  const { rows: created } =
    await sql`select id, provisioned_by from people where provisioned_by is not null order by 1`.execute(db);
  assert.deepEqual(created, [
    { id: 'app', provisioned_by: 'b' },
    { id: 'none', provisioned_by: 'b' },
  ]);
});
