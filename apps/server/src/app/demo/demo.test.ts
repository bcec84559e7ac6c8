import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { it } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { startApp } from '#testing/app/start-app.ts';
import { isKept } from '#testing/workspace/content.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { addTeam } from '#workspace/users/teams.store.ts';
import { createDemo } from './demo.actions.ts';

it('an empty database gets one demo workspace, also when two servers start at once', async () => {
  await using node = await startApp({ pool: 2 });
  const made = await Promise.all([createDemo(node.deps), createDemo(node.deps)]);
  const owners = made.filter((owner) => owner !== undefined);
  assert.equal(owners.length, 1);
  assert.equal(await createDemo(node.deps), undefined);
  const { rows } = await sql<{
    name: string;
    people: number;
    owners: number;
    zendesk: number;
    entries: number;
    roles: string[];
  }>`
    select t.display_name as name, count(*)::int as people,
      count(*) filter (where 'team_owner' = any(m.roles))::int as owners,
      count(*) filter (where 'zendesk' = any(m.roles))::int as zendesk,
      (select count(*)::int from directory_entries e where e.team_id = t.id) as entries,
      (select roles from memberships o join people p on p.id = o.person_id
        where o.team_id = t.id and p.email = ${owners[0]?.email ?? ''}) as roles
    from teams t join memberships m on m.team_id = t.id group by t.id order by people desc`.execute(node.db);
  assert.deepEqual(
    rows.map(({ name, owners: own, zendesk, entries }) => [name, own, zendesk, entries]),
    [
      ['Northwind Studio', 1, 1, 600],
      ['Orchard Logistics', 1, 1, 90],
      ['Seaside Health', 1, 1, 0],
      ['Alpine Book Club', 1, 1, 12],
    ],
  );
  assert.deepEqual(
    rows.map(({ roles }) => roles.at(-1)),
    ['team_owner', 'team_owner', 'team_admin', 'team_user'],
  );
  assert.equal(rows[0]?.people, 2_001);
  const held = await sql`select t.display_name as name,
      (select count(*)::int from channels c where c.team_id = t.id) as channels,
      (select count(*)::int from messages m where m.team_id = t.id) as messages,
      (select count(*)::int from files f where f.team_id = t.id and f.blob is not null) as files,
      (select count(*)::int from records r where r.team_id = t.id) as records
    from teams t order by messages desc, name`.execute(node.db);
  assert.deepEqual(
    held.rows.map((row) => Object.values(row as object)),
    [
      ['Northwind Studio', 13, 4_000, 300, 600],
      ['Orchard Logistics', 5, 400, 30, 60],
      ['Alpine Book Club', 1, 0, 0, 0],
      ['Seaside Health', 1, 0, 0, 0],
    ],
  );
  const blobs = await sql<{ blob: string }>`select blob from files limit 3`.execute(node.db);
  for (const { blob } of blobs.rows) assert.ok(await isKept(node, blob));
  const rules = await sql<{ kind: string; waits: boolean }>`select p.kind, p.waiting is not null as waits
    from retention_policies p join teams t on t.id = p.team_id where t.display_name = 'Northwind Studio'
    order by p.kind`.execute(node.db);
  assert.deepEqual(
    rules.rows.map(({ kind, waits }) => [kind, waits]),
    [
      ['archived_notes', true],
      ['call_recordings', false],
      ['files', false],
      ['voicemails', false],
    ],
  );
  const defaults = await sql`
    select t.display_name as team, count(*) filter (where c.delete_at = 0)::int as open,
      count(*) filter (where c.delete_at > 0)::int as archived
    from default_channels d join teams t on t.id = d.team_id join channels c on c.id = d.channel_id and c.type = 'O'
    group by t.id order by team`.execute(node.db);
  assert.deepEqual(defaults.rows, [
    { team: 'Northwind Studio', open: 3, archived: 1 },
    { team: 'Orchard Logistics', open: 1, archived: 0 },
  ]);
  const linked = await sql`select 1 from directory_entries e join memberships m using (team_id)
    where e.user_id = m.person_id`.execute(node.db);
  assert.ok(linked.rows.length > 100, 'some entries are linked to members');
  const { body, statusCode } = await node.app.inject({
    method: 'POST',
    url: '/api/v4/users/login',
    payload: { login_id: owners[0]?.email, password: owners[0]?.password },
  });
  assert.equal(statusCode, 200, body);
});

it('a database with a team gets no demo workspace', async () => {
  await using node = await startApp();
  await inTransaction(node.db, (trx) => addTeam(trx, { display_name: 'Ours' }));
  assert.equal(await createDemo(node.deps), undefined);
  assert.equal(await findAccount(node.db, 'owner@steward.example'), undefined);
});
