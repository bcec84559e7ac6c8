import assert from 'node:assert/strict';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { toPlainText } from '#features/integrations/message/escape-markup.ts';
import { startNodes } from '#testing/app/nodes.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from './content.ts';
import { team } from './factories.ts';
import { connectSimulatedHelpdesk, listChannelTexts, type SimulatedHelpdesk } from './integrations.ts';

/** A help desk whose tickets are posted in two channels of a team. */
export interface ConnectedDesk extends SimulatedHelpdesk {
  rooms: [TestChannel, TestChannel];
  /** Response statuses of the deliveries, in order. */
  answers(): (number | undefined)[];
  /** Waits until everything is posted, and asserts that both channels have the same texts. */
  delivered(): Promise<string[]>;
  lastDelivery(): ReturnType<typeof lastDelivery>;
  stored(): ReturnType<typeof stored>;
}

export interface DeliveryRig extends AsyncDisposable {
  node: TestApp;
  simulator: HelpdeskSimulator;
  /** A new connected team, the only one at the simulator. */
  connect(options?: Partial<Parameters<typeof connectSimulatedHelpdesk>[3]>): Promise<ConnectedDesk>;
}

export async function startDeliveryRig(): Promise<DeliveryRig> {
  const simulator = await startHelpdeskSimulator();
  const node = await startNodes({ listen: true, pool: 6, env: { HELPDESK_URL: simulator.template } });
  return {
    node,
    simulator,
    async connect(options = {}) {
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
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
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
