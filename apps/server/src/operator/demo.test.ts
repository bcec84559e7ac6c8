import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/database.ts';
import { startApp } from '#testing/start-app.ts';
import { findAccount } from '#workspace/accounts.store.ts';
import { addTeam } from '#workspace/teams.store.ts';
import { createDemo } from './demo.actions.ts';

it('an empty database gets one demo workspace, also when two servers start at once', async () => {
  await using node = await startApp({ pool: 2 });
  const made = await Promise.all([createDemo(node.db), createDemo(node.db)]);
  const owners = made.filter((owner) => owner !== undefined);
  assert.equal(owners.length, 1);
  assert.equal(await createDemo(node.db), undefined);
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
  assert.equal(await createDemo(node.db), undefined);
  assert.equal(await findAccount(node.db, 'owner@steward.example'), undefined);
});
