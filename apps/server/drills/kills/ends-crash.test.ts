import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { listTeams } from '@steward/contract/session/teams';
import { sql } from 'kysely';
import { test } from 'vitest';
import { createEndMembershipsWorker } from '#features/users/ends/end-memberships.job.ts';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { addSession } from '#testing/sessions/sessions.ts';
import { addMembers, createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

/** CI kills 3 times. KILLS=20 takes two minutes. */
const KILLS = Number(process.env.KILLS ?? 3);
const MEMBERS = 150 * KILLS;

/** Each of them has a session. Their last day was yesterday. */
async function addEndedMembers(node: TestApp, team: TestTeam): Promise<void> {
  await addMembers(node, team.id, MEMBERS);
  const added = sql`team_id = ${team.id} and name_key like 'person %'`;
  await sql`insert into sessions (id, person_id, token_hash, device_id, user_agent, address)
    select left(md5('s' || person_id), 26), person_id, md5(person_id), '', '', '' from memberships where ${added}`.execute(
    node.db,
  );
  await sql`update memberships set ends_on = current_date - 1, ends_at = now() - interval '1 hour' where ${added}`.execute(
    node.db,
  );
}

/** The next member whom the job hasn't reached. */
async function findWaiting({ db }: TestApp, team: TestTeam): Promise<string> {
  const waiting = db.selectFrom('memberships').select('person_id').where('team_id', '=', team.id);
  const { person_id } = await waiting
    .where('ends_at', 'is not', null)
    .where('deactivated', '=', false)
    .executeTakeFirstOrThrow();
  return person_id;
}

async function assertNoAccess(node: TestApp, team: TestTeam, userId: string): Promise<void> {
  const token = await addSession(node, { userId, deviceId: '', userAgent: '', address: '192.0.2.7' });
  const as = { ...team.member, id: userId, token, cookie: `steward_token=${token}; steward_user=${userId}` };
  const reply = await call(node, listTeams, { as, params: { userId } });
  assert.deepEqual([reply.status, reply.body], [200, []]);
}

/** Records each change of a membership from now on. */
async function recordChanges({ db }: TestApp): Promise<void> {
  await sql`create table marks (person_id text)`.execute(db);
  await sql`create function mark() returns trigger language plpgsql as $$ begin
    insert into marks values (new.person_id); return new; end $$`.execute(db);
  await sql`create trigger mark after update of deactivated on memberships for each row execute function mark()`.execute(
    db,
  );
}

async function countEnded({ db }: TestApp, team: TestTeam): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from memberships
    where team_id = ${team.id} and deactivated`.execute(db);
  return rows[0]?.count ?? 0;
}

function listOthers({ db }: TestApp, team: TestTeam) {
  const others = db.selectFrom('memberships').select(['person_id', 'deactivated', 'roles']);
  return others.where('team_id', '=', team.id).where('ends_at', 'is', null).orderBy('person_id').execute();
}

async function assertEachEndedOnce(node: TestApp, team: TestTeam): Promise<void> {
  const { rows: marks } = await sql<{ all: number; people: number }>`
    select count(*)::int as all, count(distinct person_id)::int as people from marks`.execute(node.db);
  assert.deepEqual(marks, [{ all: MEMBERS, people: MEMBERS }]);
  const ended = await auditRows(node, 'users.ended');
  assert.deepEqual([ended.length, new Set(ended.map(({ target }) => target)).size], [MEMBERS, MEMBERS]);
  const left = await sql`select from sessions s join memberships m using (person_id)
    where m.team_id = ${team.id} and m.deactivated and s.token_hash = md5(s.person_id)`.execute(node.db);
  assert.equal(left.rows.length, 0, 'the earlier sessions have ended');
}

test(`memberships of ${MEMBERS} people end once each while the server is killed ${KILLS} times, and none of them has access`, async () => {
  await using node = await startApp({ work: false });
  const team = await createTeamWithMembers(node);
  await addEndedMembers(node, team);
  await recordChanges(node);
  const others = await listOthers(node, team);
  using server = killableServer(node, { roles: 'worker' });
  const { job } = createEndMembershipsWorker(node.deps);
  /** The schedule does the same every minute, whether or not an earlier job was killed. */
  const start = async () => {
    await inTransaction(node.db, (trx) => node.deps.jobs.send(trx, job, {}));
    await server.start();
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await countEnded(node, team);
    await start();
    // Each kill comes some batches later, and at a different point of a batch.
    while ((await countEnded(node, team)) === before) await setTimeout(10);
    await setTimeout(kill * 7);
    await server.kill();
    await assertNoAccess(node, team, await findWaiting(node, team));
  }
  await start();
  while ((await countEnded(node, team)) < MEMBERS) await setTimeout(50);
  assert.equal(await server.stop(), 0);

  await assertEachEndedOnce(node, team);
  assert.deepEqual(await listOthers(node, team), others, 'nobody else has changed');
});
