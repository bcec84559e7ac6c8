import assert from 'node:assert/strict';
import { getAttention } from '@steward/contract/home';
import {
  confirmInactivityNight,
  getInactivity,
  saveInactivity,
  saveInactivityException,
  undoInactivityNight,
} from '@steward/contract/users/inactivity';
import { reactivateUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel } from '#testing/workspace/content.ts';
import { setEnd, setNow } from '#testing/workspace/ends.ts';
import { addMembers, createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { activitySource, inactiveMember, inactivityRule, setLastActive } from '#testing/workspace/inactivity.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { recordHeard, removeActivitySources } from '#workspace/users/activity-sources.store.ts';
import { runInactivityNights } from './night.job.ts';

let node: TestApp;
let ours: TestTeam;

const DAY_MS = 86_400_000;
const START = Date.parse('2027-03-10T12:00:00Z');

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

/** A team in which one inactive person is less than a tenth. */
beforeEach(async () => {
  await sql`delete from inactivity_rules`.execute(node.db);
  await setNow(node, START);
  ours = await createTeamWithMembers(node, 'Acme');
  await addMembers(node, ours.id, 17);
  await sql`update memberships set create_at = ${START - 700 * DAY_MS}, last_active_at = ${START}
    where team_id = ${ours.id} and email is null and 'team_user' = any(roles)`.execute(node.db);
  await inactivityRule(node, ours.id, 90);
  // Makes the new sessions valid.
  await setNow(node, START);
});

afterAll(() => node[Symbol.asyncDispose]());

const params = () => ({ teamId: ours.id });
const read = async () => (await call(node, getInactivity, { as: ours.owner, params: params() })).body;

/** The night that begins so many days after the first one. The source reports, and the mail server accepts what is queued. */
async function night(day: number, { accepts = true, reports = true } = {}): Promise<void> {
  await setNow(node, START + day * DAY_MS);
  if (reports) await activitySource(node, ours.id);
  await runInactivityNights(node.deps);
  if (accepts) await acceptMails();
}

const acceptMails = () => sql`update mails set state = 'sent' where state = 'waiting'`.execute(node.db);
const failMails = () =>
  sql`update mails set state = 'failed', error = '550 no such user'
  where state = 'waiting' and kind = 'users.inactive'`.execute(node.db);

async function isDeactivated(userId: string): Promise<boolean> {
  const query = node.db.selectFrom('memberships').select('deactivated').where('person_id', '=', userId);
  return (await query.where('team_id', '=', ours.id).executeTakeFirstOrThrow()).deactivated;
}

const countMails = async (kind: string, recipient: string) =>
  (
    await sql`select 1 from mails where team_id = ${ours.id} and kind = ${kind} and recipient = ${recipient}`.execute(
      node.db,
    )
  ).rows.length;
const warningsTo = (email: string) => countMails('users.inactive', email);
const rowsOf = async (action: Parameters<typeof auditRows>[1]) =>
  (await auditRows(node, action)).filter(({ team_id }) => team_id === ours.id);

describe('a member without activity', () => {
  test('is warned, warned again after 11 days, and deactivated after 14', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    for (const [day, warnings] of [
      [0, 1],
      [1, 1],
      [10, 1],
      [11, 2],
      [13, 2],
    ] as const) {
      await night(day);
      assert.deepEqual([await warningsTo(ada.email), await isDeactivated(ada.id)], [warnings, false], `day ${day}`);
    }
    await night(14);
    assert.equal(await isDeactivated(ada.id), true);
    const [row, ...others] = await rowsOf('users.inactive_deactivated');
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(row, { actor_id: null, target: ada.id, details: { night: '2027-03-24' } });
    assert.deepEqual(
      (await rowsOf('users.inactivity_night')).map(({ details }) => details),
      [
        { night: '2027-03-10', warned_users: [ada.id], reminded_users: [], deactivated_users: [] },
        { night: '2027-03-21', warned_users: [], reminded_users: [ada.id], deactivated_users: [] },
        { night: '2027-03-24', warned_users: [], reminded_users: [], deactivated_users: [ada.id] },
      ],
    );
    assert.equal(await countMails('notices.inactivity', ours.owner.email), 3);
    assert.equal(await countMails('notices.inactivity', ours.admin.email), 0, 'the digest is for owners');
  });

  test('is not touched a day too early, twice in a night, or before 02:00', async () => {
    const ada = await inactiveMember(node, ours.id, 89);
    await night(0);
    assert.equal(await warningsTo(ada.email), 0);
    await setNow(node, Date.parse('2027-03-11T01:59:59Z'));
    await activitySource(node, ours.id);
    await runInactivityNights(node.deps);
    assert.equal(await warningsTo(ada.email), 0);
    await setNow(node, Date.parse('2027-03-11T02:00:00Z'));
    for (const _ of ['once', 'and again']) await runInactivityNights(node.deps);
    assert.equal(await warningsTo(ada.email), 1);
  });

  test('counts from the day they joined if they were never active, or from the day the source began', async () => {
    const ada = await inactiveMember(node, ours.id, null);
    const bob = await user(node, { team: ours.id });
    await sql`update memberships set create_at = extract(epoch from now() - interval '89 days')::bigint * 1000
      where person_id = ${bob.id}`.execute(node.db);
    await sql`update activity_sources set began_at = now() - interval '88 days'
      where team_id = ${ours.id}`.execute(node.db);
    const warned = async () => [await warningsTo(ada.email), await warningsTo(bob.email)];
    await night(1);
    assert.deepEqual(await warned(), [0, 0]);
    await sql`update activity_sources set began_at = now() - interval '5 years'
      where team_id = ${ours.id}`.execute(node.db);
    await night(2);
    assert.deepEqual(await warned(), [1, 1]);
  });

  test('who is active after a warning starts over', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    await night(0);
    await setLastActive(node, { teamId: ours.id, userId: ada.id }, 0);
    for (const day of [1, 11, 14]) await night(day);
    assert.deepEqual([await warningsTo(ada.email), await isDeactivated(ada.id)], [1, false]);
    assert.equal((await read()).warned, 0);
  });
});

describe('nobody is warned', () => {
  test('who is an owner, an integration user, excepted, on a legal hold or provisioned', async () => {
    const [owner, integration] = [
      await inactiveMember(node, ours.id, 400, 'owner'),
      await inactiveMember(node, ours.id, 400, 'zendesk'),
    ];
    const [excepted, held, provisioned] = [
      await inactiveMember(node, ours.id, 400),
      await inactiveMember(node, ours.id, 400),
      await inactiveMember(node, ours.id, 400),
    ];
    const body = { user_id: excepted.id, reason: 'Sabbatical', until: '2027-03-12' };
    assert.equal((await call(node, saveInactivityException, { as: ours.owner, params: params(), body })).status, 200);
    await legalHold(node, { teamId: ours.id, user_ids: [held.id] });
    await sql`insert into scim_users (team_id, id, person_id, user_name, addresses)
      values (${ours.id}, ${provisioned.id}, ${provisioned.id}, 'x', '{}')`.execute(node.db);
    const everyone = [owner, integration, excepted, held, provisioned];
    const count = async () => Promise.all(everyone.map(({ email }) => warningsTo(email)));
    await night(0);
    assert.deepEqual(await count(), [0, 0, 0, 0, 0]);
    await sql`update inactivity_rules set skips_held = false, skips_provisioned = false`.execute(node.db);
    await night(1);
    assert.deepEqual(await count(), [0, 0, 0, 1, 1], 'unless the rule says so');
    await night(3);
    assert.deepEqual(await count(), [0, 0, 1, 1, 1], 'after the last day of the exception');
  });

  test('while the source is silent for a day, and the night is not made up for', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    await sql`update activity_sources set heard_at = now() - interval '25 hours' where team_id = ${ours.id}`.execute(
      node.db,
    );
    await night(0, { reports: false });
    assert.equal(await warningsTo(ada.email), 0);
    assert.equal((await read()).nights[0].state, 'paused');
    await activitySource(node, ours.id);
    await runInactivityNights(node.deps);
    assert.equal(await warningsTo(ada.email), 0, 'the night is over');
    await night(1);
    assert.equal(await warningsTo(ada.email), 1);
  });

  test('after a restore, until the source reports again, and then not before its days are over', async () => {
    const ada = await inactiveMember(node, ours.id, 400);
    await inTransaction(node.db, (trx) => removeActivitySources(trx));
    await night(0, { reports: false });
    assert.equal((await read()).nights[0].state, 'paused');
    await inTransaction(node.db, (trx) => recordHeard(trx, ours.id, 'reports'));
    for (const day of [1, 89]) {
      await setNow(node, START + day * DAY_MS);
      await sql`update activity_sources set heard_at = now() where team_id = ${ours.id}`.execute(node.db);
      await runInactivityNights(node.deps);
    }
    assert.deepEqual([await warningsTo(ada.email), (await read()).nights[0].state], [0, 'done']);
    await night(90);
    assert.equal((await read()).nights[0].state, 'asks', 'nobody was active in these 90 days');
  });

  test('by a server whose clock is a day ahead: the night begins by the clock of the database', async () => {
    const ada = await inactiveMember(node, ours.id, 89);
    await night(0);
    const right = Date.now;
    try {
      Date.now = () => right() + DAY_MS;
      await runInactivityNights(node.deps);
    } finally {
      Date.now = right;
    }
    assert.equal(await warningsTo(ada.email), 0);
    assert.equal((await read()).nights.length, 1);
  });

  test('in a team whose only owner is inactive, who stays', async () => {
    await setLastActive(node, { teamId: ours.id, userId: ours.owner.id }, 700);
    for (const day of [0, 11, 14]) await night(day);
    assert.equal(await isDeactivated(ours.owner.id), false);
    assert.equal(await warningsTo(ours.owner.email), 0);
  });

  test('within 14 days after the rule was switched on', async () => {
    const ada = await inactiveMember(node, ours.id, 700);
    const rule = { source: 'reports', days: 30, skips_held: true, skips_provisioned: true };
    const save = (is_on: boolean) =>
      call(node, saveInactivity, { as: ours.owner, params: params(), body: { ...rule, is_on } });
    await save(false);
    assert.equal((await save(true)).status, 200);
    await night(0);
    assert.equal(await warningsTo(ada.email), 0, 'the night had begun before');
    for (const day of [1, 12, 14]) await night(day);
    assert.equal(await isDeactivated(ada.id), false);
    await night(15);
    assert.equal(await isDeactivated(ada.id), true);
  });
});

describe('a warning that the mail server did not accept', () => {
  test('stops the deactivation, is listed, and everything begins anew after 14 days', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    await night(0, { accepts: false });
    await failMails();
    for (const day of [1, 11]) await night(day);
    assert.equal(await warningsTo(ada.email), 1);
    assert.deepEqual((await read()).undelivered, [
      { id: ada.id, name: 'Some Body', email: ada.email, error: '550 no such user' },
    ]);
    await night(14);
    assert.deepEqual([await warningsTo(ada.email), await isDeactivated(ada.id)], [2, false]);
    await night(25, { accepts: false });
    await failMails();
    for (const day of [28, 30]) await night(day);
    assert.deepEqual([await warningsTo(ada.email), await isDeactivated(ada.id)], [3, false]);
  });

  test('and one that still waits delays it', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    await night(0);
    await night(11, { accepts: false });
    for (const day of [14, 15]) await night(day, { accepts: false });
    assert.equal(await isDeactivated(ada.id), false);
    await acceptMails();
    await night(16);
    assert.equal(await isDeactivated(ada.id), true);
  });

  test('is remembered as accepted after the row of its email is gone', async () => {
    const ada = await inactiveMember(node, ours.id, 90);
    await night(0);
    await night(1);
    await sql`delete from mails where team_id = ${ours.id}`.execute(node.db);
    await night(11);
    assert.equal(await warningsTo(ada.email), 1, 'the second one');
  });
});

describe('a night that would touch more than a tenth of the members', () => {
  const confirm = (date: string) =>
    call(node, confirmInactivityNight, { as: ours.owner, params: { ...params(), night: date } });

  test('asks an owner first, and does it once confirmed, except for those who were active since', async () => {
    const many = [];
    for (let at = 0; at < 3; at += 1) many.push(await inactiveMember(node, ours.id, 90));
    const [ada = assert.fail(), bob = assert.fail()] = many;
    const warned = async () => [await warningsTo(ada.email), await warningsTo(bob.email)];
    await night(0);
    assert.deepEqual(await warned(), [0, 0]);
    assert.partialDeepStrictEqual((await read()).nights[0], {
      night: '2027-03-10',
      state: 'asks',
      asked: { count: 3 },
    });
    const { records } = (await call(node, getAttention, { as: ours.admin, params: params() })).body;
    assert.partialDeepStrictEqual(
      records.find(({ kind }: { kind: string }) => kind === 'inactivity_asks'),
      { count: 3 },
    );
    assert.equal(await countMails('notices.inactivity', ours.owner.email), 1);
    await setLastActive(node, { teamId: ours.id, userId: bob.id }, 0);
    assert.equal((await confirm('2027-03-10')).status, 200);
    for (const _ of ['once', 'and again']) await runInactivityNights(node.deps);
    assert.deepEqual(await warned(), [1, 0]);
    assert.deepEqual((await confirm('2027-03-10')).body.id, 'inactivity.night_over');
  });

  test('is over when the next one has begun', async () => {
    for (let at = 0; at < 3; at += 1) await inactiveMember(node, ours.id, 90);
    await night(0);
    await night(1);
    assert.deepEqual((await confirm('2027-03-10')).body.id, 'inactivity.night_over');
    assert.equal((await read()).nights[0].state, 'asks');
  });
});

describe('a night that is interrupted', () => {
  test('continues where it was, and is one row of the audit log', async () => {
    await sql`with p as (insert into people (id, email, apps, last_picture_update, create_at, update_at)
          select lpad(md5(random()::text), 26, 'a'), gen_random_uuid() || '@example.test', '{}', 0, 0, 0
          from generate_series(1, 660) returning id, email)
        insert into memberships (team_id, person_id, roles, name_key, search, create_at, last_active_at)
        select ${ours.id}, id, '{team_user}', email, email, 1, ${START} from p`.execute(node.db);
    const { rows } = await sql<{ id: string }>`update memberships set last_active_at = ${START - 90 * DAY_MS}
      where person_id in (select person_id from memberships where team_id = ${ours.id} and create_at = 1 limit 60)
      returning person_id as id`.execute(node.db);
    const many = rows.map(({ id }) => id);
    let checks = 0;
    const isStopping = () => {
      checks += 1;
      return checks > 2;
    };
    await runInactivityNights({ ...node.deps, jobs: { ...node.deps.jobs, isStopping } });
    assert.deepEqual(await rowsOf('users.inactivity_night'), []);
    await runInactivityNights(node.deps);
    const [row, ...others] = await rowsOf('users.inactivity_night');
    assert.deepEqual(others, []);
    const details = row?.details as { warned_users: string[] };
    assert.deepEqual(details.warned_users.toSorted(), many.toSorted());
    const mails = await sql`select 1 from mails where team_id = ${ours.id} and kind = 'users.inactive'`.execute(
      node.db,
    );
    assert.equal(mails.rows.length, 60);
  });
});

describe('undoing a night', () => {
  const undo = (date: string) =>
    call(node, undoInactivityNight, { as: ours.owner, params: { ...params(), night: date } });
  const columns = async (userId: string) => {
    const { rows } = await sql`select to_jsonb(m) - 'reactivated_at' as row,
        array(select c.channel_id from channel_members c where c.team_id = m.team_id and c.person_id = m.person_id) as channels
      from memberships m where team_id = ${ours.id} and person_id = ${userId}`.execute(node.db);
    return rows[0];
  };

  test('restores exactly the earlier memberships, and lets their inactivity count from then', async () => {
    const ada = await inactiveMember(node, ours.id, 90, 'admin');
    const bob = await inactiveMember(node, ours.id, 90);
    await channel(node, ours.id, { members: [ada.id] });
    await setEnd(node, { teamId: ours.id, userId: ada.id }, 200);
    const before = await columns(ada.id);
    for (const day of [0, 11, 14]) await night(day);
    assert.notDeepEqual(await columns(ada.id), before);
    // Bob comes back and is deactivated by an admin, which the undo leaves alone.
    await call(node, reactivateUser, { as: ours.owner, params: { ...params(), userId: bob.id } });
    await sql`update memberships set deactivated = true, deactivated_at = 1 where person_id = ${bob.id}`.execute(
      node.db,
    );
    const { status, body } = await undo('2027-03-24');
    assert.deepEqual([status, body.restored], [200, 1]);
    assert.deepEqual(await columns(ada.id), before);
    assert.equal(await isDeactivated(bob.id), true);
    assert.deepEqual((await rowsOf('users.inactivity_undone')).at(-1)?.details, {
      night: '2027-03-24',
      restored_users: [ada.id],
    });
    assert.partialDeepStrictEqual((await rowsOf('users.reactivated')).at(-1), {
      target: ada.id,
      actor_id: ours.owner.id,
    });
    assert.equal((await undo('2027-03-24')).body.id, 'inactivity.nothing_to_undo');
    const warnings = await warningsTo(ada.email);
    await night(15);
    assert.equal(await warningsTo(ada.email), warnings);
  });

  test('is refused for a night that deactivated nobody', async () => {
    await inactiveMember(node, ours.id, 90);
    await night(0);
    assert.equal((await undo('2027-03-10')).body.id, 'inactivity.nothing_to_undo');
  });
});
