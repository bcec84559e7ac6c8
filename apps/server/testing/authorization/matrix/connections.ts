import { beginPermit, startList, takePermit } from '@steward/contract/connections/connector';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { remoteMessage, type TestConnection } from '#testing/workspace/connections.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAdmins, forAll, forOwners, UNKNOWN, UNKNOWN_TO_OWNERS } from './rows.ts';

const toBody = (body: object | undefined) => (body === undefined ? {} : { body });

/** A call about a connection of the team, and about one that it doesn't have. */
function byAdmins(body?: object): MatrixRow[] {
  return [
    forAdmins(async (world) => ({
      params: { connectionId: (await world.createFilledServer()).id },
      ...toBody(body),
    })),
    forAdmins(() => ({ params: { connectionId: newId() }, ...toBody(body) }), UNKNOWN),
  ];
}

function byOwners(body: object | undefined, toServer: (world: World) => Promise<TestConnection>): MatrixRow[] {
  return [
    forOwners(async (world) => ({ params: { connectionId: (await toServer(world)).id }, ...toBody(body) })),
    forOwners(() => ({ params: { connectionId: newId() }, ...toBody(body) }), UNKNOWN_TO_OWNERS),
  ];
}

/** A call about an order of the team, and about one that it doesn't have. */
function aboutOrder(): MatrixRow[] {
  const send = (toOrderId: (orderId: string) => string) => async (world: World) => {
    const { id, orderId } = await world.createReadyServer();
    return { params: { connectionId: id, orderId: toOrderId(orderId) } };
  };
  return [
    forAdmins(send((orderId) => orderId)),
    forAdmins(
      send(() => newId()),
      UNKNOWN,
    ),
  ];
}

/** A call about the user of the server, and about one that it doesn't have. */
function aboutAda(call: 'invite' | 'unlink', body?: object): MatrixRow[] {
  const send = (remoteUserId: string) => async (world: World) => {
    const { id } = await world.createFilledServer();
    if (call === 'unlink') await world.linkUser(id, 'ada');
    return { params: { connectionId: id, remoteUserId }, ...toBody(body) };
  };
  return [forAdmins(send('ada')), forAdmins(send('nobody'), UNKNOWN)];
}

type Prepare = (bridge: TestConnection, world: World) => Sending | Promise<Sending>;

/** A call of a bridge: only its token counts, not the session; and an id that its connection doesn't have. */
function byBridge(prepare: Prepare, foreign?: Prepare): MatrixRow[] {
  const send = async (world: World, prepared: Prepare) => {
    const bridge = await world.createReadyServer();
    return { headers: bridge.headers, ...(await prepared(bridge, world)) };
  };
  const bySession = async (world: World) => ({ ...(await send(world, prepare)), headers: {} });
  return [
    { about: 'by a session alone', expected: forAll(401), send: bySession },
    { about: 'by the bridge', expected: forAll(200), send: (world) => send(world, prepare) },
    ...(foreign
      ? [{ about: 'about another connection', expected: forAll(404), send: (world: World) => send(world, foreign) }]
      : []),
  ];
}

const keep = { value: 0 };
const rules = { public_channels: keep, private_channels: keep };
const messages = [remoteMessage({ id: 'old' })];
const checks = [{ name: 'All', passed: true, detail: '' }];
const state = { server_version: '10.12.0', checks };
const outcomes = [{ id: 'old', outcome: 'gone' }];
const done = { outcome: 'done', detail: '' };

async function toList({ send }: TestConnection): Promise<{ listId: string }> {
  return { listId: (await send(startList, { body: { kind: 'users' } })).body.list_id };
}

async function toPermit({ send }: TestConnection, isBegun: boolean): Promise<{ permitId: string }> {
  const params = { permitId: (await send(takePermit)).body.permit.id };
  if (isBegun) await send(beginPermit, { params });
  return params;
}

export const connectionRows: Matrix = {
  listConnections: [forAdmins()],
  acceptConnection: byOwners(undefined, (world) => world.createWaitingServer()),
  leaveConnection: byOwners(undefined, (world) => world.createFilledServer()),
  pauseConnection: byAdmins({ paused: true }),
  listConnectedUsers: byAdmins(),
  askConnectedServer: byAdmins({ action: 'revoke_sessions', user_ids: ['ada'] }),
  inviteConnectedUser: aboutAda('invite', { email: 'ada@chat.test' }),
  unlinkConnectedUser: aboutAda('unlink'),
  listConnectedChannels: byAdmins(),
  saveConnectedDefaults: byAdmins({ channel_ids: ['general'] }),
  getConnectedRules: byAdmins(),
  saveConnectedRules: byOwners(rules, (world) => world.createFilledServer()),
  previewConnectedRules: byAdmins(rules),
  listOrders: byAdmins(),
  stopOrder: aboutOrder(),
  listOrderRows: aboutOrder(),
  takeLease: byBridge(({ lease }) => ({ body: { lease, bridge: 'test' } })),
  releaseLease: byBridge(() => ({})),
  reportStatus: byBridge(() => ({ body: state })),
  reportRehearsal: byBridge(() => ({ body: { ...state, calls: 1 } })),
  startList: byBridge(
    () => ({ body: { kind: 'users' } }),
    () => ({ body: { kind: 'messages', channel_id: 'elsewhere' } }),
  ),
  addListPage: byBridge(async (bridge) => ({ params: { ...(await toList(bridge)), page: '0' }, body: { users: [] } })),
  finishList: byBridge(async (bridge) => ({ params: await toList(bridge), body: { pages: 0 } })),
  saveRemoteMessages: byBridge(
    () => ({ body: { channel_id: 'general', messages } }),
    () => ({ body: { channel_id: 'elsewhere', messages } }),
  ),
  listChannelsToRead: byBridge(() => ({})),
  takeWork: byBridge(() => ({})),
  reportWork: byBridge(
    async (bridge, world) => ({ params: { workId: await world.createWork(bridge.id) }, body: done }),
    () => ({ params: { workId: newId() }, body: done }),
  ),
  takePermit: byBridge(() => ({})),
  beginPermit: byBridge(
    async (bridge) => ({ params: await toPermit(bridge, false) }),
    async (_bridge, world) => ({ params: await toPermit(await world.createReadyServer(), false) }),
  ),
  reportOutcomes: byBridge(
    async (bridge) => ({ params: await toPermit(bridge, true), body: { outcomes } }),
    async (_bridge, world) => ({ params: await toPermit(await world.createReadyServer(), true), body: { outcomes } }),
  ),
};
