import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { addEntries } from '@steward/contract/directory';
import { runRetention } from '@steward/contract/retention';
import { login, sendPasswordReset } from '@steward/contract/session';
import { signUp } from '@steward/contract/signup';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { defineJob } from '#platform/jobs/jobs.ts';
import { callAt, type Reply } from '#testing/app/call.ts';
import { type Cluster, startCluster } from '#testing/app/cluster.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { delivery, helpdesk, hold, listChannelTexts } from '#testing/workspace/integrations.ts';
import { addChannels, addItem, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const AT_ONCE = 24;

let cluster: Cluster;
let team: TestTeam;

beforeAll(async () => {
  cluster = await startCluster();
});

beforeEach(async () => {
  team = await createTeamWithMembers(cluster.node);
});

afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Makes this many calls concurrently, each to the next node. */
function atAll<T>(times: number, work: (url: string, time: number) => Promise<T>): Promise<T[]> {
  const { members } = cluster;
  return Promise.all(Array.from({ length: times }, (_, at) => work(members[at % members.length]?.url() ?? '', at)));
}

/** Counts responses by status. */
function tally(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe(`of ${AT_ONCE} concurrent attempts over three processes, as many pass as with one`, () => {
  test('ten guesses at a password are checked', async () => {
    const who = await user(cluster.node);
    const replies = await atAll(AT_ONCE, (url, at) =>
      callAt(url, login, { body: { login_id: who.email, password: `guess number ${at}` }, from: `203.0.113.${at}` }),
    );
    assert.deepEqual(tally(replies), { 401: AT_ONCE });
    const checks = (await auditRows(cluster.node, 'session.sign_in_failed')).filter(({ target }) => target === who.id);
    assert.equal(checks.length, 10);
    const right = { body: { login_id: who.email, password: who.password }, from: '203.0.113.9' };
    assert.deepEqual(tally(await cluster.callAll(login, right)), { 401: 3 }, 'the lock holds at each of them');
  });

  test('three mails with a reset link leave for one address', async () => {
    const before = (await auditRows(cluster.node, 'session.reset_requested')).length;
    const replies = await atAll(AT_ONCE, (url, at) =>
      callAt(url, sendPasswordReset, { body: { email: team.member.email }, from: `198.51.100.${at}` }),
    );
    assert.deepEqual(tally(replies), { 200: AT_ONCE });
    const resets = (await auditRows(cluster.node, 'session.reset_requested')).slice(before);
    assert.equal(resets.filter(({ details }) => details.limited === false).length, 3);
    await settled(cluster.node);
    const { rows } = await sql`select 1 from mails where recipient = ${team.member.email}`.execute(cluster.node.db);
    assert.equal(rows.length, 3);
  });

  test('five requests for a team come through from one place', async () => {
    const replies = await atAll(AT_ONCE, (url) => {
      const body = { owner_email: `${newId()}@example.test`, team_name: 'Acme', invitees: [] };
      return callAt(url, signUp, { body, from: '203.0.113.77' });
    });
    assert.deepEqual(tally(replies), { 200: 5, 429: AT_ONCE - 5 });
  });
});

test('fifteen equal saves with one key are one change, with one answer for all; another body is refused everywhere', async () => {
  const headers = { 'idempotency-key': newId() };
  const sending = { as: team.admin, params: { teamId: team.id }, headers };
  const name = `Entry ${newId()}`;
  const replies = await atAll(15, (url) => callAt(url, addEntries, { ...sending, body: [{ name }] }));
  assert.deepEqual(tally(replies), { 200: 15 });
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  const { rows } = await sql<{ id: string }>`select id from directory_entries where name = ${name}`.execute(
    cluster.node.db,
  );
  assert.deepEqual(rows, [{ id: replies[0]?.body.records[0].id }]);
  const audits = await sql`select 1 from audit_events where team_id = ${team.id}`.execute(cluster.node.db);
  assert.equal(audits.rows.length, 1);
  const others = await cluster.callAll(addEntries, { ...sending, body: [{ name: 'Another' }] }, 3);
  assert.deepEqual(tally(others), { 422: 9 });
});

test('a delivery that comes a dozen times, at all nodes and out of order, is one message in each channel', async () => {
  const rooms = await Promise.all([1, 2].map(() => channel(cluster.node, team.id)));
  const desk = await helpdesk(cluster.node, team.id, { channels: rooms });
  const events = Array.from({ length: 5 }, (_, at) => ({ invocationId: newId(), body: `{"text":"Message ${at}"}` }));
  // Each event goes to all three nodes before the next: five events, twelve times each.
  const sent = Array.from({ length: 60 }, (_, at) => events[(Math.floor(at / 3) * 3) % events.length]);
  const replies = await atAll(60, async (url, at) => {
    const { headers, body } = delivery(desk, sent[at]);
    return fetch(`${url}${desk.path}`, { method: 'POST', headers, body });
  });
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  await settled(cluster.node);
  const texts = events.map((_, at) => `Message ${at}`);
  for (const room of rooms) assert.deepEqual((await listChannelTexts(cluster.node, room)).sort(), texts);
});

describe('retention begins once for a team and kind', () => {
  const KINDS = ['voicemails', 'archived_notes', 'meeting_history'] as const;
  const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
  /** Starts the due work, as the scheduler does each minute. */
  const nights = defineJob({ name: 'retention.nights', payload: z.object({}), retries: 0, retrySeconds: 1 });

  /** Three old records of each kind, locked so that no run ends before all nodes have requested one. */
  async function lockedContent() {
    const channels = await addChannels(cluster.node, team.id);
    for (const kind of KINDS) {
      await setRule(cluster.node, team.id, kind, A_DAY);
      for (let at = 0; at < 3; at += 1)
        await addItem(cluster.node, { teamId: team.id, kind, channels }, { clock: Date.UTC(2020, 0, 1) });
    }
    return hold(cluster.node, (trx) => sql`select 1 from records where team_id = ${team.id} for update`.execute(trx));
  }

  async function assertOneRunOfEach(origin: string): Promise<void> {
    await settled(cluster.node);
    const { rows } = await sql`select kind, origin, state, scanned, deleted from retention_runs
      where team_id = ${team.id} order by kind`.execute(cluster.node.db);
    const run = { origin, state: 'finished', scanned: 3, deleted: 3 };
    assert.deepEqual(
      rows,
      KINDS.toSorted().map((kind) => ({ kind, ...run })),
    );
    const left = await sql`select 1 from records where team_id = ${team.id}`.execute(cluster.node.db);
    assert.equal(left.rows.length, 0);
  }

  test('when Run now is pressed at all nodes concurrently', async () => {
    await using held = await lockedContent();
    const sending = { as: team.admin, params: { teamId: team.id }, body: {} };
    const replies = await cluster.callAll(runRetention, sending, 5);
    assert.deepEqual(tally(replies), { 200: 15 });
    const answers = new Set(replies.map(({ body }) => body.records.map(({ id }: { id: string }) => id).join()));
    assert.equal(answers.size, 1, 'all get the same runs');
    await held.release();
    await assertOneRunOfEach('person');
  });

  test('when the night comes to all workers concurrently', async () => {
    const { db, deps } = cluster.node;
    await using held = await lockedContent();
    await sql`insert into retention_nights (team_id, night) values (${team.id}, '2020-01-01')`.execute(db);
    await inTransaction(db, async (trx) => {
      for (let at = 0; at < 9; at += 1) await deps.jobs.send(trx, nights, {});
    });
    const left = () => sql`select 1 from pgboss.job where name = ${nights.name} and state < 'completed'`.execute(db);
    while ((await left()).rows.length > 0) await pause(10);
    await held.release();
    await assertOneRunOfEach('night');
  });
});
