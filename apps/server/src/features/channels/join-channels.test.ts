import assert from 'node:assert/strict';
import { type ChannelJoin, getChannelJoin, saveDefaultChannels } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { createBatchQueue } from '#platform/jobs/work-in-turns.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import {
  addMembers,
  createTeamWithMembers,
  join as joinTeam,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { createJoinWorker, createResumeJoinsWorker, processBatches } from './join-channels.job.ts';

let node: TestApp;
let idle: TestApp;
let ours: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
  idle = await startApp({ beside: node, work: false, pool: 4 });
});

afterAll(async () => {
  await idle[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, ours.id);
});

const ATTEMPT = { id: '', attempt: 1, isLast: false };

const save = (channels: readonly TestChannel[], addExisting = true) =>
  call(node, saveDefaultChannels, {
    as: ours.admin,
    params: { teamId: ours.id },
    body: { default_channels: [general, ...channels].map(({ id }) => id), add_existing: addExisting },
  });
const progress = async (): Promise<ChannelJoin> =>
  (await call(node, getChannelJoin, { as: ours.admin, params: { teamId: ours.id } })).body.join;
const listMembers = async ({ id }: TestChannel): Promise<Set<string>> => {
  const rows = await node.db.selectFrom('channel_members').select('person_id').where('channel_id', '=', id).execute();
  return new Set(rows.map(({ person_id }) => person_id));
};
const audits = async () =>
  (await auditRows(node, 'channels.people_added')).filter(({ team_id }) => team_id === ours.id);

/** Starts a run as if its job had been lost, and returns the payload of a job for it. */
async function startLostRun(channels: readonly TestChannel[]): Promise<{ team_id: string; join_id: string }> {
  await save(channels, false);
  const id = `${ours.id.slice(0, 25)}j`;
  await sql`insert into channel_joins (team_id, id, channel_ids, started_by, people_total)
    values (${ours.id}, ${id}, ${channels.map((one) => one.id)}, ${ours.admin.id}, 0)`.execute(node.db);
  return { team_id: ours.id, join_id: id };
}

/** Processes one batch. The job would then queue itself again, but no worker receives it. */
async function oneBatch({ join_id }: { join_id: string }): Promise<void> {
  const jobs = { ...node.deps.jobs, send: async () => {} };
  await processBatches(
    { ...node.deps, jobs },
    { teamId: ours.id, joinId: join_id },
    { queue: createBatchQueue(), turnMs: 0 },
  );
}

describe('adding current members to the default channels', () => {
  test('adds active accounts to open channels, once each, and counts them', async () => {
    const ended = await user(node, { team: ours.id, deactivated: true });
    const stranger = await user(node);
    const [open, secret] = [await channel(node, ours.id), await channel(node, ours.id, { type: 'P' })];
    await joinTeam(node, (await createTeamWithMembers(node)).id, ours.member.id);
    const archived = await channel(node, ours.id);
    await sql`insert into channel_members (team_id, channel_id, person_id, create_at)
      values (${ours.id}, ${secret.id}, ${ours.admin.id}, 7), (${ours.id}, ${open.id}, ${ours.member.id}, 7)`.execute(
      node.db,
    );
    await save([archived], false);
    await sql`update channels set delete_at = 9 where id = ${archived.id}`.execute(node.db);
    assert.equal(await progress(), null);
    assert.equal((await save([open, secret, archived])).status, 200);
    await settled(node);
    const all = new Set([ours.owner.id, ours.admin.id, ours.member.id]);
    assert.deepEqual(await listMembers(open), all);
    assert.deepEqual(await listMembers(secret), all);
    for (const unchanged of [archived, general]) assert.deepEqual(await listMembers(unchanged), new Set());
    for (const { id } of [ended, stranger, ours.pending, ours.zendesk]) assert.ok(!all.has(id));
    const joinRun = await progress();
    assert.ok(isOfThisRun(joinRun.started_at) && joinRun.ended_at !== null && joinRun.ended_at >= joinRun.started_at);
    const counts = { state: 'done', people_done: 3, people_total: 3, joined: 4 };
    assert.deepEqual({ ...joinRun, ...counts }, joinRun);
    const channel_ids = [open.id, secret.id, archived.id].sort();
    const [begun] = (await auditRows(node, 'channels.defaults_saved')).slice(-1);
    assert.deepEqual(begun?.details, { before: [archived.id], after: channel_ids, join_id: joinRun.id });
    const details = { channel_ids, people_done: 3, joined: 4 };
    assert.deepEqual(await audits(), [{ team_id: ours.id, actor_id: ours.admin.id, target: joinRun.id, details }]);
    const { rows } = await sql`select 1 from channel_members where create_at = 7 and team_id = ${ours.id}`.execute(
      node.db,
    );
    assert.equal(rows.length, 2, 'existing members keep their join date');
  });

  test('continues over many batches, skipping users who can’t join', async () => {
    await addMembers(node, ours.id, 1_003);
    await sql`update memberships m set roles = array['zendesk'] from people p
      where p.id = m.person_id and m.team_id = ${ours.id} and p.email < '8' and p.email > '4'`.execute(node.db);
    const { rows } = await sql<{ people: number }>`select count(*)::int as people from memberships m
      where team_id = ${ours.id} and email is null and not 'zendesk' = any(roles)`.execute(node.db);
    const people = rows[0]?.people ?? 0;
    const channels = [await channel(node, ours.id), await channel(node, ours.id)];
    await save(channels);
    await settled(node);
    const { people_done, people_total, joined } = await progress();
    assert.deepEqual(
      { people_done, people_total, joined },
      { people_done: people, people_total: people, joined: 2 * people },
    );
    for (const one of channels) assert.equal((await listMembers(one)).size, people);
  });

  test('of a list with only general ends immediately', async () => {
    await save([]);
    await settled(node);
    const { state, joined } = await progress();
    assert.deepEqual({ state, joined }, { state: 'done', joined: 0 });
    assert.equal((await audits()).length, 1);
  });

  test('runs once at a time: another save is refused without any change, and the last run stays available', async () => {
    const [first, second] = [await channel(node, ours.id), await channel(node, ours.id)];
    const payload = await startLostRun([first]);
    const refused = await save([first, second]);
    assert.deepEqual([refused.status, refused.body.id], [409, 'channels.join_running']);
    const defaults = await sql`select 1 from default_channels where team_id = ${ours.id}`.execute(node.db);
    assert.equal(defaults.rows.length, 1);
    assert.equal((await save([first, second], false)).status, 200, 'saving without adding members is allowed');
    assert.equal((await progress()).state, 'running');
    await createJoinWorker(node.deps).handle(payload, ATTEMPT);
    assert.equal((await progress()).state, 'done');
    assert.equal((await save([second])).status, 200);
    await settled(node);
    assert.notEqual((await progress()).id, payload.join_id);
    const kept = await sql`select 1 from channel_joins where team_id = ${ours.id}`.execute(node.db);
    assert.equal(kept.rows.length, 1);
  });

  test('requested concurrently starts once', async () => {
    await using quiet = await startApp({ work: false, pool: 4 });
    const team = await createTeamWithMembers(quiet);
    const chosen = [(await findGeneralChannel(quiet, team.id)).id, (await channel(quiet, team.id)).id];
    const body = { default_channels: chosen, add_existing: true };
    const sending = { as: team.admin, params: { teamId: team.id }, body };
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(quiet, saveDefaultChannels, sending)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  });

  test('stops for a channel that is removed while it runs, and continues with the others', async () => {
    await addMembers(node, ours.id, 700);
    const [kept, dropped] = [await channel(node, ours.id), await channel(node, ours.id)];
    const payload = await startLostRun([kept, dropped]);
    await oneBatch(payload);
    const sizes = async () => [(await listMembers(kept)).size, (await listMembers(dropped)).size];
    const [some, same] = await sizes();
    assert.ok(some !== undefined && some > 400 && some === same);
    const half = await progress();
    assert.deepEqual([half.state, half.people_done, half.people_total], ['running', some, 703]);
    await save([kept], false);
    await createJoinWorker(node.deps).handle(payload, ATTEMPT);
    assert.deepEqual(await sizes(), [703, some]);
    assert.equal((await progress()).joined, 703 + some);
  });

  test('ends early when none of its channels is left', async () => {
    await addMembers(node, ours.id, 700);
    const [dropped, archived] = [await channel(node, ours.id), await channel(node, ours.id)];
    const payload = await startLostRun([dropped, archived]);
    await oneBatch(payload);
    const { people_done } = await progress();
    await save([archived], false);
    await sql`update channels set delete_at = 9 where id = ${archived.id}`.execute(node.db);
    await createJoinWorker(node.deps).handle(payload, ATTEMPT);
    const joinRun = await progress();
    assert.deepEqual([joinRun.state, joinRun.people_done], ['done', people_done]);
    assert.ok(joinRun.people_done < joinRun.people_total);
  });

  test('resumes after an error in the middle and adds no one twice', async () => {
    await addMembers(node, ours.id, 1_000);
    const channels = [await channel(node, ours.id), await channel(node, ours.id)];
    const payload = await startLostRun(channels);
    const { rows } = await sql<{ id: string }>`select person_id as id from memberships
      where team_id = ${ours.id} order by person_id offset 700 limit 1`.execute(node.db);
    const name = sql.table(`refuse_${ours.id}`);
    const wall = sql.raw(`person_id <> '${rows[0]?.id}'`);
    await sql`alter table channel_members add constraint ${name} check (${wall})`.execute(node.db);
    await assert.rejects(createJoinWorker(node.deps).handle(payload, ATTEMPT), /violates check constraint/);
    const half = await progress();
    assert.deepEqual([half.state, half.joined], ['running', 2 * half.people_done]);
    assert.ok(half.people_done > 400 && half.people_done <= 500);
    await sql`alter table channel_members drop constraint ${name}`.execute(node.db);
    await createJoinWorker(node.deps).handle(payload, { ...ATTEMPT, attempt: 2 });
    await createJoinWorker(node.deps).handle(payload, { ...ATTEMPT, attempt: 3 });
    const { state, people_done, people_total, joined } = await progress();
    const counts = { state: 'done', people_done: 1_003, people_total: 1_003, joined: 2_006 };
    assert.deepEqual({ state, people_done, people_total, joined }, counts);
    for (const one of channels) assert.equal((await listMembers(one)).size, 1_003);
    assert.equal((await audits()).length, 1);
  });

  test('has the same result on two nodes concurrently and three times on one', async () => {
    await addMembers(node, ours.id, 1_000);
    const channels = [await channel(node, ours.id), await channel(node, ours.id)];
    const payload = await startLostRun(channels);
    const workers = [
      createJoinWorker(node.deps),
      createJoinWorker(idle.deps),
      createJoinWorker(node.deps),
      createJoinWorker(idle.deps),
    ];
    await Promise.all(workers.map((worker) => worker.handle(payload, ATTEMPT)));
    const { state, people_done, people_total, joined } = await progress();
    const counts = { state: 'done', people_done: 1_003, people_total: 1_003, joined: 2_006 };
    assert.deepEqual({ state, people_done, people_total, joined }, counts);
    for (const one of channels) assert.equal((await listMembers(one)).size, 1_003);
    assert.equal((await audits()).length, 1);
  });

  test('skips a run that another node is processing', async () => {
    const payload = await startLostRun([await channel(node, ours.id)]);
    await sql`update channel_joins set people_total = 3 where id = ${payload.join_id}`.execute(node.db);
    const holder = await node.db.startTransaction().execute();
    await sql`select 1 from channel_joins where id = ${payload.join_id} for update`.execute(holder);
    await createJoinWorker(idle.deps).handle(payload, ATTEMPT);
    await holder.rollback().execute();
    assert.deepEqual([(await progress()).state, (await progress()).people_done], ['running', 0]);
  });

  test('is queued again five minutes after its job was lost, and not before', async () => {
    const one = await channel(node, ours.id);
    await startLostRun([one]);
    await createResumeJoinsWorker(node.deps).handle({}, ATTEMPT);
    await settled(node);
    assert.equal((await progress()).state, 'running');
    await sql`update channel_joins set started_at = now() - interval '5 minutes 1 second'
      where team_id = ${ours.id}`.execute(node.db);
    await createResumeJoinsWorker(node.deps).handle({}, ATTEMPT);
    await settled(node);
    assert.equal((await progress()).state, 'done');
    assert.equal((await listMembers(one)).size, 3);
  });

  test('queues itself again when its time limit is reached', async () => {
    await addMembers(node, ours.id, 1_000);
    const one = await channel(node, ours.id);
    const { join_id: joinId } = await startLostRun([one]);
    await processBatches(node.deps, { teamId: ours.id, joinId }, { queue: createBatchQueue(), turnMs: 0 });
    await settled(node);
    assert.equal((await progress()).state, 'done');
    assert.equal((await listMembers(one)).size, 1_003);
  });
});
