import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { setNow } from '#testing/workspace/ends.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { activitySource, inactivityRule } from '#testing/workspace/inactivity.ts';
import { runInactivityNights } from './night.job.ts';

/** CI has 1,000 members and 30 nights; DRILL_MEMBERS and DRILL_DAYS set others. */
const MEMBERS = Number(process.env.DRILL_MEMBERS ?? 1_000);
const DAYS = Number(process.env.DRILL_DAYS ?? 30);
const START = Date.parse('2027-01-10T02:00:00Z');

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
  team = await createTeamWithMembers(node);
  await setNow(node, START);
});

afterAll(() => node[Symbol.asyncDispose]());

/** Members who were last active on one of the last 44 days, an equal number on each. */
async function addMembers(): Promise<void> {
  for (let from = 0; from < MEMBERS; from += 2_000)
    await sql`with p as (
        insert into people (id, email, apps, last_picture_update, create_at, update_at)
        select left(md5('drill' || g), 26), 'm' || g || '@example.test', '{}', 0, 0, 0
        from generate_series(${from}::int, ${Math.min(from + 2_000, MEMBERS) - 1}::int) g returning id, email
      )
      insert into memberships (team_id, person_id, roles, name_key, search, create_at, last_active_at)
      select ${team.id}, id, '{team_user}', email, email, 1,
        (extract(epoch from now()) * 1000)::bigint - (substring(email from 'm(\\d+)@')::bigint % 44) * 86400000
      from p`.execute(node.db);
}

/** On each day, one in fifty members with an even number is active; nobody with an odd one ever is. */
const beActive = (day: number) =>
  sql`update memberships m set last_active_at = (extract(epoch from now()) * 1000)::bigint
    from people p where p.id = m.person_id and m.team_id = ${team.id} and p.email like 'm%@example.test'
      and substring(p.email from 'm(\\d+)@')::bigint % 100 = ${2 * (day % 50)}`.execute(node.db);

let kills = 0;

/** Every third night is killed before or after its first batch, and then runs again. */
async function live(day: number): Promise<void> {
  await setNow(node, START + day * 86_400_000);
  await activitySource(node, team.id);
  await beActive(day);
  let left = 2 + (day % 2);
  const isStopping = () => {
    left -= 1;
    if (left !== 0 || day % 3 !== 0) return false;
    kills += 1;
    throw new Error('killed between two transactions');
  };
  await runInactivityNights({ ...node.deps, jobs: { ...node.deps.jobs, isStopping } });
  await runInactivityNights(node.deps);
  // The address of one in seven members doesn't exist.
  await sql`update mails set state = case when substring(recipient from 'm(\\d+)@')::bigint % 7 = 0 then 'failed' else 'sent' end
    where state = 'waiting' and kind = 'users.inactive'`.execute(node.db);
}

const count = async (statement: ReturnType<typeof sql<{ count: number }>>) =>
  (await statement.execute(node.db)).rows[0]?.count ?? 0;

test(`${MEMBERS} members over ${DAYS} nights that are killed: nobody is deactivated before two accepted warnings, and no email is sent twice`, async () => {
  await addMembers();
  await inactivityRule(node, team.id, 45);
  for (let day = 0; day < DAYS; day += 1) await live(day);
  assert.ok(kills >= DAYS / 4, `${kills} nights were killed`);
  const unfair = await count(sql<{ count: number }>`select count(*)::int as count from memberships m
    where m.team_id = ${team.id} and m.deactivated and (select count(*) from mails e
      where e.team_id = m.team_id and e.person_id = m.person_id and e.kind = 'users.inactive' and e.state = 'sent') < 2`);
  assert.equal(unfair, 0);
  const deactivated = await count(sql<{ count: number }>`select count(*)::int as count from memberships
    where team_id = ${team.id} and deactivated`);
  assert.ok(deactivated > MEMBERS / 10, String(deactivated));
  const { rows } = await sql<{ steps: number; mails: number }>`
    select sum(cardinality(warned_ids || reminded_ids))::int as steps,
      (select count(*)::int from mails where team_id = ${team.id} and kind = 'users.inactive') as mails
    from inactivity_nights where team_id = ${team.id}`.execute(node.db);
  assert.equal(rows[0]?.mails, rows[0]?.steps);
  const twice = await count(sql<{ count: number }>`select count(*)::int as count from (
      select details ->> 'night' from audit_events where team_id = ${team.id} and action = 'users.inactivity_night'
      group by 1 having count(*) > 1) found`);
  assert.equal(twice, 0);
  const owners = await count(sql<{ count: number }>`select count(*)::int as count from memberships
    where team_id = ${team.id} and 'team_owner' = any(roles) and not deactivated`);
  assert.equal(owners, 1);
});
