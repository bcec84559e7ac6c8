import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { type ConnectedDesk, type DeliveryRig, startDeliveryRig } from '#testing/workspace/delivery-rig.ts';
import { hold, listChannelTexts } from '#testing/workspace/integrations.ts';

let rig: DeliveryRig;
let desk: ConnectedDesk;

beforeAll(async () => {
  // A delivery that waits for a lock is refused before the help desk stops waiting.
  rig = await startDeliveryRig({ lockMs: 2_000 });
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(async () => {
  desk = await rig.connect();
});

describe('refused and retried deliveries', () => {
  const spoilt: [string, () => void][] = [
    ['changed by one byte', () => Object.assign(desk.account.state.delivery, { tamper: true })],
    ['signed with the test secret', () => Object.assign(desk.account.state.delivery, { sign_with: 'test secret' })],
    [
      'without its signature',
      () => Object.assign(desk.account.state.delivery, { omit_headers: ['X-Zendesk-Webhook-Signature'] }),
    ],
  ];
  for (const [about, spoil] of spoilt) {
    test(`case 21: a delivery ${about} is 401 and not posted; the next valid one is`, async () => {
      spoil();
      desk.account.createTicket({ title: 'Spoilt' });
      assert.deepEqual(await desk.delivered(), []);
      assert.deepEqual(desk.answers(), [401]);
      Object.assign(desk.account.state.delivery, { tamper: false, sign_with: 'own secret', omit_headers: [] });
      desk.account.createTicket({ title: 'Good' });
      assert.deepEqual(await desk.delivered(), ['Good']);
    });
  }

  test("a delivery that isn't signed with our secret is reported at the integration", async () => {
    desk.account.state.delivery.tamper = true;
    desk.account.createTicket({ title: 'Spoilt' });
    await desk.delivered();
    const { last_error, last_error_at } = await desk.stored();
    assert.ok(last_error_at);
    assert.equal(last_error, "A request was refused because it wasn't signed with the webhook's secret.");
  });

  test('a secret that was reset in Zendesk is read again, and none of many concurrent deliveries is lost', async () => {
    desk.account.resetSecret(desk.webhookId);
    for (let at = 0; at < 10; at += 1) desk.account.createTicket({ title: 'After the reset' });
    await rig.simulator.finished();
    assert.equal((await desk.delivered()).length, 10);
    const reads = desk.account
      .requests()
      .filter(({ method, path }) => method === 'GET' && path.endsWith('signing_secret'));
    assert.equal(reads.length, 1);
    assert.equal((await desk.stored()).last_error, '');
  });

  test('case 22: a timestamp six minutes old is refused, one four minutes old is accepted', async () => {
    desk.account.state.delivery.timestamp_shift_ms = -6 * 60_000;
    desk.account.createTicket({ title: 'Old' });
    assert.deepEqual(await desk.delivered(), []);
    desk.account.state.delivery.timestamp_shift_ms = -4 * 60_000;
    desk.account.createTicket({ title: 'Late' });
    assert.deepEqual(await desk.delivered(), ['Late']);
    assert.deepEqual(desk.answers(), [401, 200]);
  });

  test('case 23: a repeated invocation, also ten times concurrently, is one message and always 200', async () => {
    const { deliveries } = desk.account.createTicket({ title: 'Once' });
    await rig.simulator.settled();
    await desk.account.replay(deliveries[0]?.id ?? '');
    assert.deepEqual(await desk.delivered(), ['Once']);
    desk.account.state.delivery.copies = 10;
    desk.account.createTicket({ title: 'Ten times' });
    assert.deepEqual(await desk.delivered(), ['Once', 'Ten times']);
    assert.deepEqual([...new Set(desk.answers())], [200]);
    const { rows } = await sql`select is_repeat, count(*)::int from deliveries where team_id = ${desk.teamId}
      group by is_repeat order by is_repeat`.execute(rig.node.db);
    assert.deepEqual(rows, [
      { is_repeat: false, count: 2 },
      { is_repeat: true, count: 10 },
    ]);
  });

  test("case 24: a delivery that can't be stored gets 503 with Retry-After, is retried, and is one message", async () => {
    await using held = await hold(rig.node, (trx) => sql`lock table deliveries in share mode`.execute(trx));
    const { deliveries } = desk.account.createTicket({ title: 'Later' });
    await rig.simulator.settled();
    await held.release();
    const [attempt] = deliveries[0]?.attempts ?? [];
    assert.equal(attempt?.status_code, 503);
    const headers = Object.fromEntries(
      (attempt?.response?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
    );
    assert.equal(headers['retry-after'], '10');
    assert.deepEqual(await desk.delivered(), []);
    await rig.simulator.finished();
    assert.deepEqual(await desk.delivered(), ['Later']);
    assert.deepEqual(desk.answers(), [503, 200]);
  });

  test('case 25: deliveries are acknowledged before posting: a slow channel delays no response and causes no duplicates', async () => {
    await using held = await hold(rig.node, (trx) =>
      sql`select 1 from channels where id = ${desk.rooms[1].id} for update`.execute(trx),
    );
    desk.account.createTicket({ title: 'Slow' });
    await rig.simulator.settled();
    assert.deepEqual(desk.answers(), [200]);
    await waitForLockWaiter(rig.node, 'update channels set last_post_at');
    assert.deepEqual(await listChannelTexts(rig.node, desk.rooms[1]), []);
    await held.release();
    assert.deepEqual(await desk.delivered(), ['Slow']);
  });
});
