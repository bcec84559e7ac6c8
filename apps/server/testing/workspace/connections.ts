import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import {
  addListPage,
  finishList,
  LEASE_HEADER,
  type RemoteChannel,
  type RemoteMessage,
  type RemoteUser,
  reportRehearsal,
  reportStatus,
  startList,
  takeLease,
} from '@steward/contract/connections/connector';
import type { ConnectedKind } from '@steward/contract/connections/fields';
import type { RetentionRule } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { addMapping, setAccepted } from '#features/connections/mappings.store.ts';
import { openOrder } from '#features/connections/orders/orders.actions.ts';
import { listOpenOrders } from '#features/connections/orders/orders.store.ts';
import { addServer } from '#features/connections/servers.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply, type Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';

export const DAY = 86_400_000;

/** A connected server with one mapped team, and its bridge. */
export interface TestConnection {
  id: string;
  token: string;
  teamId: string;
  lease: string;
  headers: Record<string, string>;
  send: (endpoint: AnyEndpoint, sending?: Sending) => Promise<Reply>;
}

/** Connects a server to a team; an owner has accepted it unless `acceptedBy` is null. The bridge has the lease. */
export async function connectedServer(
  node: TestApp,
  options: {
    teamId: string;
    acceptedBy: string | null;
    remoteTeamId?: string;
    directMessages?: boolean;
    on?: TestConnection;
  },
): Promise<TestConnection> {
  const { teamId, acceptedBy, remoteTeamId = 'team1', directMessages = false, on } = options;
  const { id, token } =
    on ?? (await inTransaction(node.db, (trx) => addServer(trx, { provider: 'mattermost', name: 'Chat' })));
  await inTransaction(node.db, async (trx) => {
    await addMapping(trx, { serverId: id, remoteId: remoteTeamId, teamId, directMessages });
    if (acceptedBy !== null) await setAccepted(trx, { serverId: id, teamId }, { by: acceptedBy, night: '2000-01-01' });
  });
  if (on) return { ...on, teamId };
  const taken = await callAsBridge(node, { token, lease: '' }, takeLease, { body: { bridge: 'test' } });
  const { lease } = taken.body;
  const send: TestConnection['send'] = (endpoint, sending) => callAsBridge(node, { token, lease }, endpoint, sending);
  return { id, token, teamId, lease, headers: toHeaders({ token, lease }), send };
}

const toHeaders = ({ token, lease }: { token: string; lease: string }) => ({
  authorization: `Bearer ${token}`,
  [LEASE_HEADER]: lease,
});

export function callAsBridge(
  node: TestApp,
  bridge: { token: string; lease: string },
  endpoint: AnyEndpoint,
  sending: Sending = {},
): Promise<Reply> {
  return call(node, endpoint, { ...sending, headers: toHeaders(bridge) });
}

export function remoteUser(user: Partial<RemoteUser> & { id: string }): RemoteUser {
  return {
    username: user.id,
    name: '',
    email: `${user.id}@chat.test`,
    roles: [],
    team_ids: ['team1'],
    is_bot: false,
    owns_bots: false,
    is_protected: false,
    deactivated_at: 0,
    ...user,
  };
}

export function remoteChannel(channel: Partial<RemoteChannel> & { id: string }): RemoteChannel {
  return { type: 'O', team_id: 'team1', name: channel.id, member_ids: [], archived_at: 0, ...channel };
}

/** A message that is 400 days old, in which nothing happened since. */
export function remoteMessage(message: Partial<RemoteMessage> & { id: string }): RemoteMessage {
  const created_at = message.created_at ?? Date.now() - 400 * DAY;
  return {
    user_id: 'ada',
    root_id: '',
    original_id: '',
    updated_at: created_at,
    edited_at: 0,
    deleted_at: 0,
    kind: '',
    size: 10,
    files: [],
    ...message,
    created_at,
  };
}

export async function sendList(
  { send }: TestConnection,
  list: { users: RemoteUser[] } | { channels: RemoteChannel[] } | { channel_id: string; messages: RemoteMessage[] },
): Promise<Reply> {
  const { channel_id, ...rows } = { channel_id: undefined, ...list };
  const [kind] = Object.keys(rows);
  const { body } = await send(startList, { body: { kind, channel_id } });
  const page = await send(addListPage, { params: { listId: body.list_id, page: '0' }, body: rows });
  if (page.status !== 200) return page;
  return send(finishList, { params: { listId: body.list_id }, body: { pages: 1 } });
}

/** Lists everything: users, channels, and the messages of each channel. */
export async function fillMirror(
  connection: TestConnection,
  { users = [], channels }: { users?: RemoteUser[]; channels: (RemoteChannel & { messages: RemoteMessage[] })[] },
): Promise<void> {
  await sendList(connection, { users });
  await sendList(connection, { channels: channels.map(({ messages: _, ...channel }) => channel) });
  for (const { id, messages } of channels) await sendList(connection, { channel_id: id, messages });
}

/** All that was listed, by one server or by all, counts as known for two days. */
export async function waitTwoDays(node: TestApp, serverId: string | null = null): Promise<void> {
  for (const table of ['connected_messages', 'connected_channels'])
    await sql`update ${sql.table(table)} set arrived_at = arrived_at - interval '2 days'
      where ${serverId}::text is null or server_id = ${serverId}`.execute(node.db);
}

export async function connectedRule(
  node: TestApp,
  { id, teamId }: TestConnection,
  { kind = 'public_channels', rule }: { kind?: ConnectedKind; rule: RetentionRule },
): Promise<void> {
  await sql`insert into connected_rules (server_id, team_id, kind, rule)
    values (${id}, ${teamId}, ${kind}, ${JSON.stringify(rule)})
    on conflict (server_id, team_id, kind) do update set rule = excluded.rule`.execute(node.db);
}

const PASSED = [{ name: 'All', passed: true, detail: '' }];

export async function reportReady({ send }: TestConnection): Promise<void> {
  await send(reportStatus, { body: { server_version: '10.12.0', checks: PASSED } });
}

export async function rehearse({ send }: TestConnection): Promise<void> {
  await send(reportRehearsal, { body: { server_version: '10.12.0', checks: PASSED, calls: 71 } });
}

/**
 * A connected server with the user `ada` and the message `old` of the channel `general`. With `ready`, an order names the message,
 * and the bridge may take a permit for it.
 */
export async function filledServer(
  node: TestApp,
  { ready = false, ...options }: { teamId: string; acceptedBy: string; ready?: boolean },
): Promise<TestConnection & { orderId: string }> {
  const connection = await connectedServer(node, options);
  const messages = [remoteMessage({ id: 'old' })];
  const channels = [{ ...remoteChannel({ id: 'general' }), messages }];
  await fillMirror(connection, { users: [remoteUser({ id: 'ada' })], channels });
  if (!ready) return { ...connection, orderId: '' };
  await waitTwoDays(node, connection.id);
  await connectedRule(node, connection, { rule: { value: 1, duration: { count: 1, period: 'y' } } });
  await reportReady(connection);
  const key = { serverId: connection.id, teamId: connection.teamId };
  await inTransaction(node.db, (trx) => openOrder(trx, node.deps, key));
  const [order] = await listOpenOrders(node.db, connection.id);
  await rehearse(connection);
  await sendList(connection, { channel_id: 'general', messages });
  return { ...connection, orderId: order?.id ?? '' };
}
