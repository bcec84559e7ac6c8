import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { getChannelJoin, saveDefaultChannels } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { call } from '#testing/app/call.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { expireDeadWorkers } from '#testing/database/maintain-queue.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { type SmtpTestServer, startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { channel, findGeneralChannel } from '#testing/workspace/content.ts';
import { addMembers, createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { type Held, hold } from '#testing/workspace/integrations.ts';
import { queueRuns, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const LONG_AGO = Date.UTC(2020, 0, 1);
const MESSAGES = 9_000;
const PEOPLE = 1_000;

let node: TestApp;
let team: TestTeam;
let peer: SmtpTestServer;
let isSilent = false;
let first: KillableServer;
let second: KillableServer;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  peer = await startSmtpServer(() => (isSilent ? 'stall' : 'accept'));
  const worker = () => killableServer(node, { roles: 'worker', env: { SMTP_URL: peer.url, DRAIN_SECONDS: '0' } });
  [first, second] = [worker(), worker()];
});

afterAll(async () => {
  await Promise.all([first, second].map((worker) => worker?.kill()));
  await peer?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  await Promise.all([first, second].map((worker) => worker.kill()));
});

/** Kills the first worker in the middle of its work; the second one completes it. */
async function takenOver(inTheMiddle: () => Promise<unknown>, release: () => Promise<unknown>): Promise<void> {
  await first.start();
  await inTheMiddle();
  const joining = second.start();
  await first.kill();
  await release();
  await joining;
  await settledButActive();
  await expireDeadWorkers(node);
  await settled(node);
}

/** Waits until the only remaining jobs are those of the dead worker. */
async function settledButActive(): Promise<void> {
  const others = () =>
    sql`select 1 from pgboss.job where state = 'created' and start_after <= now()
    and name not like '\\_\\_pgboss%' and name <> 'dead_letters'`.execute(node.db);
  while ((await others()).rows.length > 0) await pause(50);
}

/** Jobs that a worker has claimed. A scheduled job may be among them at any time. */
async function activeJobs(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pgboss.job where state = 'active'
    and name not like '\\_\\_pgboss%'`.execute(node.db);
  return rows.map(({ name }) => name);
}

/** Two thirds of the messages are expired under a new rule. */
async function addManyMessages(): Promise<void> {
  const clock = sql`case when n % 3 = 0 then ${Date.now()}::bigint else ${LONG_AGO}::bigint + n end`;
  await sql`insert into messages (team_id, id, channel_id, channel_type, text, size, create_at, update_at)
    select ${team.id}, ${team.id} || n, ${'c'.repeat(26)}, 'O', 'x', 1, ${clock}, 0
    from generate_series(1, ${MESSAGES}::int) n`.execute(node.db);
  await setRule(node, team.id, 'public_channels', { value: 1, duration: { count: 1, period: 'd' } });
}

/** Locks one message, so that its batch waits. */
function lockedMessage(number: number): Promise<Held> {
  return hold(node, (trx) =>
    sql`select 1 from messages where team_id = ${team.id} and id = ${team.id} || ${number}::int for update`.execute(
      trx,
    ),
  );
}

async function assertRunIsWhole(): Promise<void> {
  const { rows } = await sql`select state, scanned, deleted, failed from retention_runs
    where team_id = ${team.id}`.execute(node.db);
  const expired = MESSAGES - MESSAGES / 3;
  assert.deepEqual(rows, [{ state: 'finished', scanned: expired, deleted: expired, failed: 0 }]);
  const left = await sql`select count(*)::int as count, min(create_at) > ${LONG_AGO + MESSAGES} as fresh
    from messages where team_id = ${team.id}`.execute(node.db);
  assert.deepEqual(left.rows, [{ count: MESSAGES / 3, fresh: true }]);
  assert.equal((await auditRows(node, 'retention.ran')).filter(({ team_id }) => team_id === team.id).length, 1);
}

describe('a worker is killed with a job in its hands, and another one finishes it:', () => {
  test('a retention run removes what an undisturbed one does, and counts it once', async () => {
    await addManyMessages();
    const held = await lockedMessage(MESSAGES - 10);
    await queueRuns(node, team.id);
    const inTheMiddle = async () => {
      await waitForLockWaiter(node, 'delete from messages');
      const { rows } = await sql<{ deleted: number }>`select deleted from retention_runs
        where team_id = ${team.id}`.execute(node.db);
      assert.ok((rows[0]?.deleted ?? 0) > 0, 'batches were done');
    };
    await takenOver(inTheMiddle, held.release);
    await assertRunIsWhole();
  });

  test('adding all members to the default channels adds each once, and logs it once', async () => {
    await addMembers(node, team.id, PEOPLE);
    const rooms = [await channel(node, team.id), await channel(node, team.id)];
    const held = await lockedMember(rooms[1]?.id ?? '');
    const body = {
      default_channels: [await findGeneralChannel(node, team.id), ...rooms].map(({ id }) => id),
      add_existing: true,
    };
    const request = { as: team.admin, params: { teamId: team.id } };
    assert.equal((await call(node, saveDefaultChannels, { ...request, body })).status, 200);
    const progress = async () => (await call(node, getChannelJoin, request)).body.join;
    const inTheMiddle = async () => {
      await waitForLockWaiter(node, 'channel_members');
      assert.ok((await progress()).people_done > 0, 'batches were done');
    };
    await takenOver(inTheMiddle, held.release);
    const all = PEOPLE + 3;
    const { state, people_done, people_total, joined } = await progress();
    assert.deepEqual([state, people_done, people_total, joined], ['done', all, all, 2 * all]);
    for (const { id } of rooms) {
      const members = await node.db
        .selectFrom('channel_members')
        .select('person_id')
        .where('channel_id', '=', id)
        .execute();
      assert.equal(members.length, all);
    }
    const events = (await auditRows(node, 'channels.people_added')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(
      events.map(({ details }) => details.joined),
      [2 * all],
    );
  });

  test('a mail whose server said nothing yet is sent, and noted once', async () => {
    isSilent = true;
    const mail = { to: team.owner.email, subject: 'Letter', text: 'Text', html: '<p>Text</p>' };
    await inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail }));
    const inTheMiddle = async () => {
      while (peer.sources.length === 0) await pause(10);
      assert.ok((await activeJobs()).includes('mail.send'));
      isSilent = false;
    };
    await takenOver(inTheMiddle, async () => undefined);
    assert.deepEqual(
      peer.accepted.map(({ to }) => to),
      [[team.owner.email]],
    );
    const { rows } = await sql`select state from mails where recipient = ${team.owner.email}`.execute(node.db);
    assert.deepEqual(rows, [{ state: 'sent' }]);
  });
});

test('a worker that stops hands over a running job immediately', async () => {
  await addManyMessages();
  const [middle, end] = [await lockedMessage(5), await lockedMessage(MESSAGES - 1)];
  const url = await first.start();
  await queueRuns(node, team.id);
  await waitForLockWaiter(node, 'delete from messages');
  const stopping = first.stop();
  // The node reports that it is not ready, or no longer listens.
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (await isReady()) await pause(5);
  await middle.release();
  assert.equal(await stopping, 0);
  const { rows } = await sql`select state, retry_count from pgboss.job where name = 'retention.sweep'
    and data ->> 'team_id' = ${team.id} order by created_on`.execute(node.db);
  const done = { state: 'completed', retry_count: 0 };
  assert.deepEqual(rows, [done, { state: 'created', retry_count: 0 }], 'it is on its way to another one');
  await end.release();
  await second.start();
  await settled(node);
  await assertRunIsWhole();
});

/** Locks one of the last members by adding them to a channel in an open transaction, so that their batch waits. */
async function lockedMember(channelId: string): Promise<Held> {
  return hold(node, (trx) =>
    sql`insert into channel_members (team_id, channel_id, person_id, create_at)
      select team_id, ${channelId}, person_id, 1 from memberships where team_id = ${team.id}
      order by person_id offset ${PEOPLE - 300} limit 1`.execute(trx),
  );
}
