import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { deliverTo, helpdesk, hold, listChannelTexts, type TestHelpdesk } from '#testing/workspace/integrations.ts';
import { createDeliverWorker, createResumeDeliveriesWorker } from './deliver.job.ts';

let one: TestApp;
let two: TestApp;
let teamId: string;
let rooms: TestChannel[];
let desk: TestHelpdesk;

/** Neither node runs jobs on its own: the tests run them explicitly. */
beforeAll(async () => {
  one = await startApp({ work: false, pool: 5 });
  two = await startApp({ work: false, pool: 5, beside: one });
});

afterAll(async () => {
  await two[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

beforeEach(async () => {
  teamId = await team(one);
  rooms = await Promise.all([1, 2, 3].map(() => channel(one, teamId)));
  desk = await helpdesk(one, teamId, { channels: rooms });
});

function work(node: TestApp, place: { teamId: string; id: string } = desk): Promise<void> {
  const payload = { team_id: place.teamId, integration_id: place.id };
  return createDeliverWorker(node.deps).handle(payload, { id: newId(), attempt: 1, isLast: false });
}

async function say(text: string, more: { invocationId?: string; node?: TestApp } = {}): Promise<void> {
  const { node = one, ...sent } = more;
  const reply = await deliverTo(node, desk, { body: JSON.stringify({ text }), ...sent });
  assert.equal(reply.status, 200, reply.text);
}

async function jobs(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pgboss.job
    where name = 'integrations.deliver' and data ->> 'team_id' = ${teamId}`.execute(one.db);
  return rows[0]?.count ?? 0;
}

/** Works until nothing is left, over several time slices if necessary. */
async function workOff(...nodes: TestApp[]): Promise<void> {
  for (;;) {
    await Promise.all(nodes.map((node) => work(node)));
    const { rows } = await sql`select 1 from deliveries where team_id = ${teamId} and state = 'waiting'`.execute(
      one.db,
    );
    if (rows.length === 0) return;
  }
}

describe('several nodes', () => {
  test('one delivery sent to both concurrently, many times, is stored once and always 200', async () => {
    const invocationId = newId();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => say('Once', { invocationId, node: at % 2 === 0 ? one : two })),
    );
    await workOff(one, two);
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), ['Once']);
  });

  test('ten copies of each of seven deliveries, shuffled, while posting runs, are one message each', async () => {
    const sent = Array.from({ length: 7 }, (_, at) => ({ text: `Event ${at}`, invocationId: newId() }));
    for (let at = 0; at < sent.length * 10; at += 1) {
      const { text, invocationId } = sent[(at * 3) % sent.length] ?? assert.fail();
      await say(text, { invocationId, node: at % 2 === 0 ? one : two });
      if (at % 16 === 15) await Promise.all([work(one), work(two)]);
    }
    await workOff(one, two);
    for (const room of rooms)
      assert.deepEqual(
        (await listChannelTexts(one, room)).sort(),
        sent.map(({ text }) => text),
      );
  });

  test('both working on the same deliveries post each once in each channel, in the order received', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Message ${at}`);
    for (const [at, text] of texts.entries()) await say(text, { node: at % 2 === 0 ? one : two });
    await workOff(one, two, one, two);
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), texts);
    const { rows } = await sql`select 1 from deliveries d join delivery_channels c on c.delivery_id = d.id
      where d.team_id = ${teamId} and (d.state <> 'posted' or c.state <> 'posted' or c.attempts <> 1)`.execute(one.db);
    assert.deepEqual(rows, []);
  });

  test('simultaneous deliveries are posted in the order the node received them', async () => {
    const texts = Array.from({ length: 30 }, (_, at) => `Message ${at}`);
    await Promise.all(texts.map((text) => say(text)));
    const { rows } = await sql<{ text: string }>`select text from deliveries where team_id = ${teamId}
      order by received_at`.execute(one.db);
    await workOff(one);
    for (const room of rooms)
      assert.deepEqual(
        await listChannelTexts(one, room),
        rows.map(({ text }) => text),
      );
    assert.deepEqual((await listChannelTexts(one, rooms[0] as TestChannel)).sort(), texts.sort());
  });
});

describe('jobs', () => {
  test('a delivery is stored together with its job; the next ones rely on it while it is fresh', async () => {
    await say('One');
    assert.equal(await jobs(), 1);
    await say('Two');
    assert.equal(await jobs(), 1);
    await work(one);
    await say('Three');
    assert.equal(await jobs(), 2, 'no job is under way');
    await sql`update deliveries set received_at = received_at - interval '21 seconds'
      where team_id = ${teamId}`.execute(one.db);
    await say('Four');
    assert.equal(await jobs(), 3, 'the job under way is late');
  });

  test('a delivery that arrives while the last one finishes is not left waiting', async () => {
    await say('One');
    const first = rooms.map(({ id }) => id).sort()[0] ?? '';
    await using held = await hold(two, (trx) =>
      sql`select 1 from channels where id = ${first} for update`.execute(trx),
    );
    const working = work(one);
    await waitForLockWaiter(one, 'update channels set last_post_at');
    // The delivery relies on the job that is currently waiting.
    await say('Two');
    assert.equal(await jobs(), 1);
    await held.release();
    await working;
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), ['One', 'Two']);
  });

  test('nor is one that is being stored while the one it relies on finishes', async () => {
    await say('One');
    const row = { team_id: teamId, integration_id: desk.id, invocation_id: 'second', headers: '{}', body: '' };
    // Another transaction holds the same delivery: ours has already checked it, and waits.
    await using rival = await hold(two, (trx) =>
      trx
        .insertInto('deliveries')
        .values({ ...row, id: newId(), text: '', note: '', state: 'ignored' })
        .execute(),
    );
    const saying = say('Two', { invocationId: 'second' });
    await waitForLockWaiter(one, 'insert into deliveries');
    const working = work(two);
    await Promise.race([working, waitForLockWaiter(one, 'for no key update')]);
    await rival.release();
    await Promise.all([saying, working]);
    assert.equal(await jobs(), 1);
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), ['One', 'Two']);
  });

  test('stalled deliveries resume within seconds, once', async () => {
    await say('Forgotten');
    await sql`delete from pgboss.job where name = 'integrations.deliver'`.execute(one.db);
    await createResumeDeliveriesWorker(one.deps).handle({}, { id: newId(), attempt: 1, isLast: true });
    assert.equal(await jobs(), 0, 'a job may be under way');
    await sql`update deliveries set received_at = received_at - interval '1 minute'
      where team_id = ${teamId}`.execute(one.db);
    await createResumeDeliveriesWorker(one.deps).handle({}, { id: newId(), attempt: 1, isLast: true });
    assert.equal(await jobs(), 1);
    assert.equal(createResumeDeliveriesWorker(one.deps).job.everySeconds, 5);
    await work(one);
    await createResumeDeliveriesWorker(one.deps).handle({}, { id: newId(), attempt: 1, isLast: true });
    assert.equal(await jobs(), 1, 'nothing is left');
  });

  test("a message that can't be stored blocks later ones for five attempts only", async () => {
    await sql`create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.text = 'Poison' then raise exception 'poison'; end if; return new; end $$`.execute(one.db);
    await sql`create trigger poison before insert on messages for each row execute function refuse_poison()`.execute(
      one.db,
    );
    for (const text of ['Before', 'Poison', 'After']) await say(text);
    for (let tried = 1; tried <= 15; tried += 1) {
      assert.deepEqual(await listChannelTexts(one, rooms[0] as TestChannel), tried === 1 ? [] : ['Before']);
      await assert.rejects(work(one), /poison/);
    }
    await work(one);
    await sql`drop trigger poison on messages`.execute(one.db);
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), ['Before', 'After']);
    const { rows } = await sql<{ attempts: number; error: string }>`select c.attempts, c.error
      from delivery_channels c where c.team_id = ${teamId} and c.state = 'failed'`.execute(one.db);
    const error = 'A server error prevented posting. Redeliver it.';
    assert.deepEqual(
      rows,
      rooms.map(() => ({ attempts: 5, error })),
    );
  });

  test('disconnected before it was posted, a delivery is ignored, and the log says why', async () => {
    await say('Too late');
    await sql`update integrations set state = 'disconnecting' where team_id = ${teamId}`.execute(one.db);
    await work(one);
    for (const room of rooms) assert.deepEqual(await listChannelTexts(one, room), []);
    const { rows } = await sql`select d.state, c.state as in_channel, c.error from deliveries d
      join delivery_channels c on c.delivery_id = d.id where d.team_id = ${teamId}`.execute(one.db);
    const row = { state: 'ignored', in_channel: 'failed', error: 'Zendesk was disconnected before this was posted.' };
    assert.deepEqual(rows, [row, row, row]);
    const { rows: integration } = await sql`select last_error from integrations where team_id = ${teamId}`.execute(
      one.db,
    );
    assert.deepEqual(integration, [{ last_error: '' }]);
  });
});

test('a thousand concurrent deliveries for one team are stored or get 429, and another team is served at the same time', async () => {
  await using busy = await startApp({ pool: 10 });
  const [flooded, calm] = [await team(busy), await team(busy)];
  const [wet, dry] = [await channel(busy, flooded), await channel(busy, calm)];
  const target = await helpdesk(busy, flooded, { channels: [wet] });
  const other = await helpdesk(busy, calm, { channels: [dry] });
  const replies = await Promise.all(
    Array.from({ length: 1_010 }, async (_, at) => {
      const isOther = at % 101 === 100;
      const body = JSON.stringify({ text: `Message ${at}` });
      const reply = await deliverTo(busy, isOther ? other : target, { body });
      return { isOther, at, reply };
    }),
  );
  for (const { reply } of replies) {
    assert.ok(reply.status === 200 || reply.status === 429, `${reply.status} ${reply.text}`);
    if (reply.status === 429) assert.equal(reply.headers['retry-after'], '10');
  }
  const taken = (isOther: boolean) =>
    replies.filter((each) => each.isOther === isOther && each.reply.status === 200).map(({ at }) => `Message ${at}`);
  assert.equal(taken(true).length, 10);
  await settled(busy, 60);
  assert.deepEqual((await listChannelTexts(busy, dry)).sort(), taken(true).sort());
  assert.deepEqual((await listChannelTexts(busy, wet)).sort(), taken(false).sort());
});
