import { beginPermit, startList, takePermit } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import { addWork } from '#features/connections/work/work.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import {
  connectedServer,
  filledServer,
  remoteMessage,
  remoteUser,
  sendList,
  type TestConnection,
} from '#testing/workspace/connections.ts';
import { invite } from '#testing/workspace/factories.ts';
import { addInvitedLink } from '#workspace/users/connected-links.store.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import {
  adminsAbout,
  adminsAboutPart,
  forAdmins,
  forAll,
  forAnyone,
  newAddress,
  once,
  ownersAbout,
  row,
  UNKNOWN,
} from './rows.ts';

/** A server whose messages were listed, one with an order that waits for permits, and one that nobody accepted. */
const filled = async ({ node, teamId, member }: World) =>
  (await filledServer(node, { teamId, acceptedBy: member.id })).id;
/** The server's lease doesn't end while the calls of a row wait for their turn. */
async function ready({ node, teamId, member }: World) {
  const server = await filledServer(node, { teamId, acceptedBy: member.id, ready: true });
  await sql`update connected_servers set lease_until = now() + interval '1 day' where id = ${server.id}`.execute(
    node.db,
  );
  return server;
}
const leased = ({ node, teamId, member }: World) => connectedServer(node, { teamId, acceptedBy: member.id });
const waiting = async ({ node, teamId }: World) => (await connectedServer(node, { teamId, acceptedBy: null })).id;

const byAdmins = (body?: object) => adminsAbout('connectionId', filled, body && { body });
const readByAdmins = (body?: object) => adminsAbout('connectionId', once(filled), body && { body });

async function withOrder(world: World) {
  const { id, orderId } = await ready(world);
  return { connectionId: id, orderId };
}

/** An invitation from a user of the server, with an address of its own, and from one that it doesn't have. */
function inviting(): MatrixRow[] {
  const send = (remoteUserId: string) => async (world: World) => {
    const server = await ready(world);
    const email = newAddress();
    await sendList(server, { users: [remoteUser({ id: 'ada', email })] });
    return { params: { connectionId: server.id, remoteUserId }, body: { email } };
  };
  return [forAdmins(send('ada')), forAdmins(once(send('nobody')), UNKNOWN)];
}

const aboutLinked = () =>
  adminsAboutPart('remoteUserId', async (world) => {
    const { node, teamId } = world;
    const serverId = await filled(world);
    const remoteUserId = 'ada';
    const invitationId = await invite(node, { teamId, email: newAddress() });
    await inTransaction(node.db, (trx) => addInvitedLink(trx, { teamId, serverId, remoteUserId, invitationId }));
    return { connectionId: serverId, remoteUserId };
  });

type Prepare = (bridge: TestConnection, world: World) => Sending | Promise<Sending>;

/**
 * A call of a bridge: only its token counts, not the session; and an id that its connection doesn't have. The calls of all actors
 * are about one server, unless each needs its own.
 */
function byBridge(prepare: Prepare, { foreign, find = once(ready) }: { foreign?: Prepare; find?: typeof leased } = {}) {
  const send =
    (prepared: Prepare, more: Sending = {}) =>
    async (world: World) => {
      const bridge = await find(world);
      return { headers: bridge.headers, ...(await prepared(bridge, world)), ...more };
    };
  const elsewhere = { about: 'about another connection', expected: forAll(404) };
  return [
    row('by a session alone', forAll(401), once(send(prepare, { headers: {} }))),
    forAnyone(send(prepare), { about: 'by the bridge' }),
    ...(foreign ? [forAnyone(once(send(foreign)), elsewhere)] : []),
  ];
}

const remove = { value: 1, duration: { count: 1, period: 'y' } };
const rules = { public_channels: remove, private_channels: { value: 0 } };
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

async function newWork({ id: server_id, teamId: team_id }: TestConnection, { node, member }: World): Promise<string> {
  const work = { id: newId(), server_id, team_id, remote_team_id: 'team1', user_id: 'ada', asked_by: member.id };
  await inTransaction(node.db, (trx) => addWork(trx, [{ ...work, action: 'revoke_sessions', channel_ids: [] }]));
  return work.id;
}

export const connectionRows: Matrix = {
  listConnections: [forAdmins()],
  acceptConnection: ownersAbout('connectionId', waiting),
  leaveConnection: ownersAbout('connectionId', filled),
  pauseConnection: byAdmins({ paused: true }),
  listConnectedUsers: readByAdmins(),
  askConnectedServer: byAdmins({ action: 'revoke_sessions', user_ids: ['ada'] }),
  inviteConnectedUser: inviting(),
  unlinkConnectedUser: aboutLinked(),
  listConnectedChannels: readByAdmins(),
  saveConnectedDefaults: byAdmins({ channel_ids: ['general'] }),
  getConnectedRules: readByAdmins(),
  saveConnectedRules: ownersAbout('connectionId', filled, { body: rules }),
  previewConnectedRules: readByAdmins(rules),
  listOrders: readByAdmins(),
  stopOrder: adminsAboutPart('orderId', withOrder),
  listOrderRows: adminsAboutPart('orderId', once(withOrder)),
  takeLease: byBridge(({ lease }) => ({ body: { lease, bridge: 'test' } })),
  releaseLease: byBridge(() => ({}), { find: leased }),
  reportStatus: byBridge(() => ({ body: state })),
  reportRehearsal: byBridge(() => ({ body: { ...state, calls: 1 } })),
  startList: byBridge(() => ({ body: { kind: 'users' } }), {
    foreign: () => ({ body: { kind: 'messages', channel_id: 'elsewhere' } }),
  }),
  addListPage: byBridge(async (bridge) => ({ params: { ...(await toList(bridge)), page: '0' }, body: { users: [] } })),
  finishList: byBridge(async (bridge) => ({ params: await toList(bridge), body: { pages: 0 } })),
  saveRemoteMessages: byBridge(() => ({ body: { channel_id: 'general', messages } }), {
    foreign: () => ({ body: { channel_id: 'elsewhere', messages } }),
  }),
  listChannelsToRead: byBridge(() => ({})),
  takeWork: byBridge(() => ({})),
  reportWork: byBridge(async (bridge, world) => ({ params: { workId: await newWork(bridge, world) }, body: done }), {
    foreign: () => ({ params: { workId: newId() }, body: done }),
  }),
  takePermit: byBridge(() => ({}), { find: ready }),
  beginPermit: byBridge(async (bridge) => ({ params: await toPermit(bridge, false) }), {
    foreign: async (_bridge, world) => ({ params: await toPermit(await ready(world), false) }),
    find: ready,
  }),
  reportOutcomes: byBridge(async (bridge) => ({ params: await toPermit(bridge, true), body: { outcomes } }), {
    foreign: async (_bridge, world) => ({ params: await toPermit(await ready(world), true), body: { outcomes } }),
    find: ready,
  }),
};
