import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp } from '#testing/app/start-app.ts';
import { expireDeadWorkers } from '#testing/database/maintain-queue.ts';
import { addMembers, createTeamWithMembers } from '#testing/workspace/factories.ts';

const ADMINS = 3_000;
const KILLS = 3;

test(`an email to ${ADMINS} admins is queued once for each of them, killed ${KILLS} times`, async () => {
  await using node = await startApp({ work: false });
  const { id: teamId, admin, member } = await createTeamWithMembers(node);
  await addMembers(node, teamId, ADMINS);
  await sql`update memberships set roles = '{team_user,team_admin}' where team_id = ${teamId} and name_key like 'person %'`.execute(
    node.db,
  );
  const body = { email: member.email, account_type: 1 };
  assert.equal((await call(node, saveUser, { as: admin, params: { teamId }, body })).status, 200);
  using server = killableServer(node, { roles: 'worker' });

  const findReached = async () =>
    (await node.db.selectFrom('notices').select('reached').where('team_id', '=', teamId).executeTakeFirst())?.reached;
  let underWay = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = (await findReached()) ?? ADMINS;
    await server.start();
    // Each kill comes some batches later, and at a different point of a batch.
    while (((await findReached()) ?? ADMINS) < before + 200) await setTimeout(2);
    await setTimeout(kill * 7);
    await server.kill();
    if ((await findReached()) !== undefined) underWay += 1;
    await expireDeadWorkers(node);
  }
  assert.equal(underWay, KILLS, 'every kill met the job under way');
  await server.start();
  while ((await findReached()) !== undefined) await setTimeout(20);

  const { rows } = await sql<Record<string, number>>`select count(*)::int as mails,
      count(distinct m.person_id)::int as people, count(j.id)::int as jobs
    from mails m left join pgboss.job j on j.data ->> 'id' = m.id
    where m.team_id = ${teamId}`.execute(node.db);
  // The owner of the team is counted too.
  assert.deepEqual(rows, [{ mails: ADMINS + 1, people: ADMINS + 1, jobs: ADMINS + 1 }]);
});
