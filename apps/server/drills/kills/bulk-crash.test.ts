import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { type BulkJob, getBulk, startBulk } from '@steward/contract/users/bulk';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp } from '#testing/app/start-app.ts';
import { expireDeadWorkers } from '#testing/database/maintain-queue.ts';
import { addMembers, createTeamWithMembers } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const MEMBERS = 3_000;
const KILLS = 3;

test(`a job for ${MEMBERS} users that is killed ${KILLS} times changes each of them once`, async () => {
  await using node = await startApp({ work: false });
  const team = await createTeamWithMembers(node);
  await addMembers(node, team.id, MEMBERS);
  await sql`insert into sessions (id, person_id, token_hash, device_id, user_agent, address)
    select left(md5('s' || person_id), 26), person_id, md5(person_id), '', '', '' from memberships
    where team_id = ${team.id} and roles = '{team_user}' and email is null and person_id <> ${team.member.id}`.execute(
    node.db,
  );
  // Counts how often each membership is changed.
  await sql`create table marks (person_id text)`.execute(node.db);
  await sql`create function mark() returns trigger language plpgsql as $$ begin
    if new.deactivated then insert into marks values (new.person_id); end if; return new; end $$`.execute(node.db);
  await sql`create trigger mark after update on memberships for each row execute function mark()`.execute(node.db);
  using server = killableServer(node, { roles: 'web,worker' });

  const started = await call(node, startBulk, {
    as: team.admin,
    params: { teamId: team.id },
    body: { action: 'deactivate', filter: { member: '1' } },
  });
  const params = { teamId: team.id, jobId: started.body.id as string };
  const progress = async (): Promise<BulkJob> => (await call(node, getBulk, { as: team.admin, params })).body;
  let underWay = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { done } = await progress();
    await server.start();
    // Each kill comes some batches later, and at a different point of a batch.
    while ((await progress()).done < done + 200) await setTimeout(20);
    await setTimeout(kill * 13);
    await server.kill();
    if ((await progress()).state === 'running') underWay += 1;
    await expireDeadWorkers(node);
  }
  assert.equal(underWay, KILLS, 'every kill met the job under way');
  await server.start();
  while ((await progress()).state === 'running') await setTimeout(100);

  const job = await progress();
  assert.deepEqual(
    [job.state, job.done, job.skipped, job.failed],
    ['done', MEMBERS + 1, [{ reason: 'state', count: 1 }], []],
  );
  const { rows: marks } = await sql<{ all: number; people: number }>`
    select count(*)::int as all, count(distinct person_id)::int as people from marks`.execute(node.db);
  assert.deepEqual(marks, [{ all: MEMBERS + 1, people: MEMBERS + 1 }]);
  const details = (await auditRows(node, 'users.bulk_changed')).map((row) => row.details);
  const ids = details.flatMap(({ user_ids }) => user_ids as string[]);
  assert.deepEqual([ids.length, new Set(ids).size], [MEMBERS + 1, MEMBERS + 1]);
  const ended = details.reduce((sum, { sessions }) => sum + (sessions as number), 0);
  assert.equal(ended, MEMBERS + 1, 'every session is counted once');
});
