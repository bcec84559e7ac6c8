import { type ConnectedUser, type Connection, listConnections, type Order } from '@steward/contract/connections';
import { answer } from './fake-server.ts';
import { toId } from './users.ts';

/** A working connection that an owner accepted, unless the fields say otherwise. */
export function connection(fields: Partial<Connection> = {}): Connection {
  const name = fields.name ?? 'Chat';
  return {
    id: toId(name),
    provider: 'mattermost',
    name,
    remote_team_id: 'team1',
    direct_messages: false,
    accepted_at: 1,
    accepted_by_name: 'Olivia Owner',
    paused: false,
    health: 'ok',
    reason: '',
    server_version: '10.12.0',
    last_seen_at: Date.UTC(2026, 0, 2),
    listed_at: 1,
    rehearsed_at: 1,
    checks: [{ name: 'Version', passed: true, detail: '10.12.0' }],
    rehearsal: [{ name: 'Nothing is left', passed: true, detail: '' }],
    users: 12,
    channels: 4,
    channels_filled: 4,
    channels_read_only: 0,
    messages: 1_234,
    seconds_left: null,
    open_order: null,
    ...fields,
  };
}

export const order = (fields: Partial<Order> = {}): Order => ({
  id: toId('order'),
  state: 'open',
  opened_at: Date.UTC(2026, 0, 2),
  closed_at: 0,
  reason: '',
  rows: 5_000,
  threads: 900,
  gone: 1_150,
  kept: 50,
  orphans: 0,
  kept_by: { held: 36, thread: 14 },
  digest: 'd'.repeat(64),
  proof: '',
  server_version: '10.12.0',
  ...fields,
});

export const answerConnections = (...records: Connection[]) => answer(listConnections, { records });

export const connectedUser = (id: string, name: string, fields: Partial<ConnectedUser> = {}): ConnectedUser => ({
  id,
  name,
  username: id,
  email: `${id}@chat.test`,
  roles: ['team_user'],
  is_bot: false,
  deactivated_at: 0,
  actions: ['revoke_sessions', 'deactivate', 'remove_from_team'],
  reason: '',
  last_work: null,
  account: null,
  can_invite: true,
  ...fields,
});
