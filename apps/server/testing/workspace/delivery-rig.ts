import assert from 'node:assert/strict';
import { toPlainText } from '#features/integrations/message/escape-markup.ts';
import type { TestApp, TestAppOptions } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from './content.ts';
import { team } from './factories.ts';
import { startHelpdeskApp } from './helpdesk.ts';
import { connectSimulatedHelpdesk, listChannelTexts } from './integrations.ts';

export type DeliveryRig = Awaited<ReturnType<typeof startDeliveryRig>>;
/** A help desk whose tickets are posted in two channels of a team. */
export type ConnectedDesk = Awaited<ReturnType<DeliveryRig['connect']>>;

export async function startDeliveryRig(limits?: TestAppOptions['limits']) {
  const app = await startHelpdeskApp({ listen: true, pool: 6, work: true, ...(limits && { limits }) }, 1);
  const { node, simulator } = app;
  return {
    ...app,
    async connect(options: Partial<Parameters<typeof connectSimulatedHelpdesk>[3]> = {}) {
      simulator.reset();
      const teamId = await team(node);
      const rooms: [TestChannel, TestChannel] = [await channel(node, teamId), await channel(node, teamId)];
      const desk = await connectSimulatedHelpdesk(node, simulator, teamId, {
        url: node.url,
        channels: rooms,
        ...options,
      });
      return {
        ...desk,
        rooms,
        answers: () =>
          desk.account.deliveries().flatMap(({ attempts }) => attempts.map(({ status_code }) => status_code)),
        /** Waits until everything is posted, and asserts that both channels have the same texts. */
        async delivered() {
          await simulator.settled();
          await settled(node);
          const [texts = [], others] = await Promise.all(rooms.map((room) => listChannelTexts(node, room)));
          assert.deepEqual(others, texts);
          return texts.map(toPlainText);
        },
        lastDelivery: () => lastDelivery(node, teamId),
        stored: () => stored(node, teamId),
      };
    },
  };
}

function stored(node: TestApp, teamId: string) {
  return node.db.selectFrom('integrations').selectAll().where('team_id', '=', teamId).executeTakeFirstOrThrow();
}

async function lastDelivery(node: TestApp, teamId: string) {
  const ofTeam = node.db.selectFrom('deliveries').selectAll().where('team_id', '=', teamId);
  const row = await ofTeam.orderBy('id', 'desc').executeTakeFirstOrThrow();
  const inChannels = node.db.selectFrom('delivery_channels').selectAll().where('delivery_id', '=', row.id);
  return { ...row, channels: await inChannels.orderBy('channel_id').execute() };
}
