import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { emptyDatabase } from '#testing/database/template-database.ts';

test('pending people become invitations of each team, and deactivation a state of each membership', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0011-fold-stored-search');
  await sql`insert into teams (id, display_name, create_at) values ('a', 'A', 0), ('b', 'B', 0)`.execute(db);
  await sql`insert into people (id, email, first_name, last_name, type, create_at, update_at, delete_at) values
    ('member', 'member@x.test', 'Max', '', 2, 1, 1, 0),
    ('gone', 'gone@x.test', '', '', 2, 1, 1, 77),
    ('pia', 'pia@x.test', 'Pia', 'P', 1, 1, 1, 0),
    ('never', 'never@x.test', '', '', 1, 1, 1, 77),
    ('loose', 'loose@x.test', '', '', 1, 1, 1, 0),
    ('desk', 'desk@x.test', '', '', 1, 1, 1, 0)`.execute(db);
  const member = (team: string, person: string, options: { roles?: string; gone?: boolean; at?: number } = {}) =>
    sql`insert into memberships (team_id, person_id, roles, name_key, search, deactivated, create_at) values
      (${team}, ${person}, ${options.roles ?? '{team_user}'}, 'k', 's', ${options.gone ?? false}, ${options.at ?? 5})`.execute(
      db,
    );
  for (const team of ['a', 'b']) await member(team, 'member');
  for (const team of ['a', 'b']) await member(team, 'gone', { gone: true });
  await member('b', 'pia', { at: 6, roles: '{team_user,team_admin}' });
  await member('a', 'pia', { at: 9 });
  await member('a', 'never', { gone: true });
  await member('a', 'desk', { roles: '{zendesk}' });
  const link = (hash: string, kind: string, team: string | null, person: string) =>
    sql`insert into links (token_hash, kind, person_id, team_id, expires_at)
      values (${hash}, ${kind}, ${person}, ${team}, now())`.execute(db);
  await link('of-a', 'invite', 'a', 'pia');
  await link('of-b', 'invite', 'b', 'pia');
  await link('nowhere', 'invite', 'a', 'never');
  await link('reset', 'reset', null, 'member');
  await link('of-pending', 'reset', null, 'loose');
  await sql`insert into mails (id, team_id, person_id, kind, recipient) values ('m', 'a', 'pia', 'users.invitation', 'x')`.execute(
    db,
  );
  await sql`insert into presence (person_id, last_activity_at) values ('pia', 1)`.execute(db);
  await sql`insert into channels (team_id, id, type, name, display_name, header, purpose, creator_id, create_at, update_at, delete_at, last_post_at)
    values ('a', 'c', 'P', 'c', 'C', '', '', '', 0, 0, 0, 0)`.execute(db);
  await sql`insert into channel_members (team_id, channel_id, person_id, create_at) values ('a', 'c', 'pia', 0), ('a', 'c', 'gone', 0)`.execute(
    db,
  );
  await sql`insert into directory_entries (team_id, id, name, user_id, last_picture_update) values ('a', 'e', 'Pia', 'pia', 7)`.execute(
    db,
  );

  assert.deepEqual(await migrate(db, '0012-membership-states'), ['0012-membership-states']);

  const { rows: people } = await sql`select id from people order by id`.execute(db);
  assert.deepEqual(people, [{ id: 'desk' }, { id: 'gone' }, { id: 'member' }]);
  const { rows } = await sql<{
    team_id: string;
    person_id: string;
    email: string | null;
    first_name: string | null;
    roles: string[];
    invited_at: number | null;
    deactivated_at: number | null;
  }>`
    select team_id, person_id, email, first_name, roles, invited_at, deactivated_at from memberships
    order by email nulls last, team_id, person_id`.execute(db);
  const { person_id: ofA = '' } = rows.find(({ team_id, email }) => team_id === 'a' && email !== null) ?? {};
  const none = { email: null, first_name: null, roles: ['team_user'], invited_at: null, deactivated_at: null };
  assert.deepEqual(rows, [
    { ...none, team_id: 'a', person_id: ofA, email: 'pia@x.test', first_name: 'Pia', invited_at: 9 },
    {
      ...none,
      team_id: 'b',
      person_id: 'pia',
      email: 'pia@x.test',
      first_name: 'Pia',
      invited_at: 6,
      roles: ['team_user', 'team_admin'],
    },
    { ...none, team_id: 'a', person_id: 'desk', roles: ['zendesk'] },
    { ...none, team_id: 'a', person_id: 'gone', deactivated_at: 77 },
    { ...none, team_id: 'a', person_id: 'member' },
    { ...none, team_id: 'b', person_id: 'gone', deactivated_at: 77 },
    { ...none, team_id: 'b', person_id: 'member' },
  ]);
  assert.match(ofA, /^[a-z0-9]{26}$/);
  const { rows: links } = await sql`select token_hash, team_id, person_id from links order by token_hash`.execute(db);
  assert.deepEqual(links, [
    { token_hash: 'of-a', team_id: 'a', person_id: ofA },
    { token_hash: 'of-b', team_id: 'b', person_id: 'pia' },
    { token_hash: 'reset', team_id: null, person_id: 'member' },
  ]);
  const { rows: others } =
    await sql`select (select person_id from mails) as mail, (select user_id from directory_entries) as entry,
    (select string_agg(person_id, ',') from channel_members) as channels, (select count(*)::int from presence) as presence`.execute(
      db,
    );
  assert.deepEqual(others, [{ mail: ofA, entry: '', channels: 'gone', presence: 0 }]);
  // An invitation takes its links with it, and a person with a team is not deleted.
  await sql`delete from memberships where email is not null`.execute(db);
  assert.deepEqual((await sql`select token_hash from links`.execute(db)).rows, [{ token_hash: 'reset' }]);
  await assert.rejects(sql`delete from people where id = 'member'`.execute(db), /still belongs to a team/);
});
