import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { type ConnectedDesk, type DeliveryRig, startDeliveryRig } from '#testing/workspace/delivery-rig.ts';
import { team } from '#testing/workspace/factories.ts';
import { listChannelTexts } from '#testing/workspace/integrations.ts';

let rig: DeliveryRig;
let desk: ConnectedDesk;

beforeAll(async () => {
  rig = await startDeliveryRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(async () => {
  desk = await rig.connect();
});

describe('case 26: channels that cannot be posted in', () => {
  const ruin: [string, string, (id: string) => Promise<unknown>][] = [
    [
      'archived',
      'This channel is archived.',
      (id) => sql`update channels set delete_at = 1 where id = ${id}`.execute(rig.node.db),
    ],
    [
      'deleted',
      'This channel is no longer in this team.',
      (id) => sql`delete from channels where id = ${id}`.execute(rig.node.db),
    ],
    [
      'moved to another team',
      'This channel is no longer in this team.',
      async (id) => sql`update channels set team_id = ${await team(rig.node)} where id = ${id}`.execute(rig.node.db),
    ],
  ];
  for (const [about, error, happen] of ruin) {
    test(`one that was ${about} is skipped with a reason; the other gets the message`, async () => {
      await happen(desk.rooms[0].id);
      desk.account.createTicket({ title: 'Half' });
      await rig.simulator.settled();
      await settled(rig.node);
      assert.deepEqual(
        [await listChannelTexts(rig.node, desk.rooms[0]), await listChannelTexts(rig.node, desk.rooms[1])],
        [[], ['Half']],
      );
      const { state, channels } = await desk.lastDelivery();
      assert.equal(state, 'partly');
      assert.deepEqual(
        new Map(channels.map((each) => [each.channel_name, [each.state, each.error, each.attempts]])),
        new Map<string, unknown[]>([
          [desk.rooms[0].name, ['failed', error, 1]],
          [desk.rooms[1].name, ['posted', '', 1]],
        ]),
      );
      assert.deepEqual(desk.answers(), [200]);
      const { last_error, last_error_at, last_delivery_at } = await desk.stored();
      assert.equal(last_error, `${desk.rooms[0].name}: ${error}`);
      assert.deepEqual(last_error_at, last_delivery_at);
    });
  }

  test('all of them archived: still 200, with a reason for each in the log', async () => {
    await sql`update channels set delete_at = 1 where team_id = ${desk.teamId}`.execute(rig.node.db);
    desk.account.createTicket({ title: 'Nowhere' });
    assert.deepEqual(await desk.delivered(), []);
    const { state, channels } = await desk.lastDelivery();
    assert.deepEqual([state, channels.map((each) => each.state)], ['failed', ['failed', 'failed']]);
    assert.deepEqual(desk.answers(), [200]);
  });
});
