import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { type ConnectedDesk, type DeliveryRig, startDeliveryRig } from '#testing/workspace/delivery-rig.ts';
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

describe('tickets become messages', () => {
  test('case 16: a created ticket is posted once in each channel, by the integration’s user', async () => {
    desk.account.createTicket({ title: 'No paper', comment: 'Help' });
    assert.deepEqual(await desk.delivered(), ['No paper']);
    const posts = await rig.node.db.selectFrom('messages').selectAll().where('team_id', '=', desk.teamId).execute();
    const row = await desk.lastDelivery();
    for (const post of posts) {
      assert.equal(post.user_id, desk.userId);
      assert.deepEqual(post.props, { from_webhook: 'true', integration: 'zendesk', delivery_id: row.id });
    }
    assert.deepEqual(posts.map(({ id }) => id).sort(), row.channels.map(({ post_id }) => post_id).sort());
    assert.deepEqual(
      [row.state, row.text, row.note, row.channels.map(({ state, attempts }) => [state, attempts])],
      [
        'posted',
        'No paper',
        '',
        [
          ['posted', 1],
          ['posted', 1],
        ],
      ],
    );
    assert.deepEqual(desk.answers(), [200]);
    const { last_delivery_at, last_error } = await desk.stored();
    assert.ok(last_delivery_at && last_error === '');
    const { last_post_at } = await rig.node.db
      .selectFrom('channels')
      .select('last_post_at')
      .where('id', '=', desk.rooms[0].id)
      .executeTakeFirstOrThrow();
    assert.equal(last_post_at, posts.find(({ channel_id }) => channel_id === desk.rooms[0].id)?.create_at);
  });

  test('case 17: an updated ticket is posted only if that event is chosen', async () => {
    const { ticket } = desk.account.createTicket({ title: 'No paper' });
    desk.account.updateTicket(ticket.id, { title: 'Still none' });
    assert.deepEqual(await desk.delivered(), ['No paper']);
    desk = await rig.connect({ events: ['Change'] });
    const other = desk.account.createTicket({ title: 'No ink' });
    desk.account.updateTicket(other.ticket.id, { title: 'Ink came' });
    assert.deepEqual(await desk.delivered(), ['Ink came']);
  });

  test('case 18: quotes, backslashes, markup, line breaks and other scripts arrive unchanged', async () => {
    const title = 'He said "hi" \\ <b>bold</b>\nnext line\t*not bold* @all 🎉 ﷽ `code` [x](https://evil.example)';
    desk.account.createTicket({ title });
    assert.deepEqual(await desk.delivered(), [title]);
    const [raw = ''] = await listChannelTexts(rig.node, desk.rooms[0]);
    assert.doesNotMatch(raw, /@all|\t\*|<b>|\[x\]/);
  });

  test('case 19: the same without escaping by Zendesk is repaired, or posted unchanged with a note', async () => {
    desk.account.state.settings.escape = false;
    desk.account.createTicket({ title: 'two\nlines' });
    assert.deepEqual(await desk.delivered(), ['two\nlines']);
    assert.match((await desk.lastDelivery()).note, /repaired/);
    desk.account.createTicket({ title: 'He said "hi" \\ <b>' });
    assert.deepEqual((await desk.delivered())[1], '{"text":"He said "hi" \\ <b>"}');
    assert.match((await desk.lastDelivery()).note, /wasn't valid JSON .* posted unchanged/);
    assert.deepEqual(desk.answers(), [200, 200]);
  });

  test('two triggers that fire for one change are two deliveries and two messages', async () => {
    desk = await rig.connect({ events: ['Create', 'Create'] });
    desk.account.createTicket({ title: 'Twice' });
    assert.deepEqual(await desk.delivered(), ['Twice', 'Twice']);
  });

  test('messages are in the order of the tickets', async () => {
    const titles = Array.from({ length: 12 }, (_, at) => `Ticket ${at}`);
    for (const title of titles) {
      desk.account.createTicket({ title });
      await rig.simulator.settled();
    }
    assert.deepEqual(await desk.delivered(), titles);
  });
});
