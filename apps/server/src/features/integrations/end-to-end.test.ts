import assert from 'node:assert/strict';
import { listPosts } from '@steward/contract/channels';
import { testIntegration } from '@steward/contract/integrations';
import { listDeliveries } from '@steward/contract/integrations/deliveries';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel } from '#testing/workspace/content.ts';
import { base64, helpdeskTeam, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';

test('an admin connects, gets messages, changes the secret and disconnects', async () => {
  await using rig = await startHelpdeskApp({ listen: true, work: true, pool: 4 });
  const { node, simulator } = rig;
  // The port is known only after the start; links and the webhook's endpoint need it.
  Object.assign(node.deps.env, { publicUrl: node.url });
  const acme = simulator.account('acme');
  const desk = await helpdeskTeam(node);
  const { admin, id: teamId } = desk.team;
  const rooms = [await channel(node, teamId), await channel(node, teamId, { type: 'P', members: [admin.id] })];
  const texts = async () => {
    await simulator.settled();
    await settled(node);
    const lists = rooms.map(({ id }) => call(node, listPosts, { as: admin, params: { channelId: id } }));
    const [first, second] = (await Promise.all(lists)).map(({ body }) =>
      body.order.map((id: string) => body.posts[id].message).reverse(),
    );
    assert.deepEqual(first, second);
    return first as string[];
  };

  assert.equal((await desk.connect()).status, 200);
  acme.createTicket({ title: 'Before any trigger' });
  assert.deepEqual(await texts(), []);

  const channel_details = rooms.map(({ id }) => ({ channel_id: id }));
  const message = base64('{"text":"Ticket {{ticket.id}}: {{ticket.title}}"}');
  const saved = await desk.save({ ticket_created: true, ticket_updated: true, message, channel_details });
  assert.equal(saved.status, 200, saved.text);
  const { ticket } = acme.createTicket({ title: 'No paper' });
  await texts();
  acme.updateTicket(ticket.id, { title: 'Paper came' });
  assert.deepEqual(await texts(), ['Ticket 2: No paper', 'Ticket 2: Paper came']);

  const body = { message, channel_details };
  const params = { teamId, integrationId: desk.id };
  const tried = await call(node, testIntegration, { as: admin, params, body });
  assert.deepEqual([tried.status, tried.body.connection_error], [200, ''], tried.text);
  assert.equal((await texts()).length, 3, 'the connection test is not posted');

  acme.resetSecret(acme.webhooks()[0]?.id ?? '');
  acme.createTicket({ title: 'After the reset' });
  assert.equal((await texts()).at(-1), 'Ticket 3: After the reset');

  const { body: log } = await call(node, listDeliveries, { as: admin, params });
  assert.deepEqual(
    log.records.map(({ state }: { state: string }) => state),
    ['posted', 'posted', 'posted'],
  );

  const [last] = acme.deliveries().slice(-1);
  assert.equal((await desk.disable()).status, 200);
  assert.deepEqual([acme.webhooks(), acme.triggers().filter(({ default: theirs }) => !theirs)], [[], []]);
  const late = await acme.replay(last?.id ?? '');
  assert.equal(late.status_code, 200, 'a late delivery is acknowledged');
  await settled(node);
  assert.equal((await call(node, listDeliveries, { as: admin, params })).body.records.length, 3);
});
