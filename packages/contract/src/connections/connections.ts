import { z } from 'zod';
import { COUNT, EXPORT, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Flag, Id, LastKey, listAnswer, listQuery } from '../api/fields.ts';
import { CONNECTED_USERS_MAX, DEFAULT_CHANNELS_MAX, SMALL_BODY_MAX } from '../api/limits.ts';
import { KeepRule, SavedRule } from '../retention/fields.ts';
import { MemberState } from '../users/roles.ts';
import {
  CheckRow,
  ConnectedChannelType,
  ConnectedKind,
  ExternalId,
  KeptReason,
  OrderState,
  ReadOnly,
  WorkAction,
} from './fields.ts';

const TeamParams = z.object({ teamId: Id });
const ConnectionParams = TeamParams.extend({ connectionId: Id });

/** `waiting`: no owner has accepted it. `silent`: no bridge. `problem`: a check failed. `filling`: not everything was listed yet. */
export const ConnectionHealth = z.enum(['waiting', 'silent', 'problem', 'filling', 'paused', 'ok']);
export type ConnectionHealth = z.infer<typeof ConnectionHealth>;

/** Messages permanently deleted by one night's run at a connected server. Times are in milliseconds, 0 for never. */
export const Order = z.object({
  id: Id,
  state: OrderState,
  opened_at: z.int(),
  closed_at: z.int(),
  /** Messages and earlier versions that it names, and their threads. */
  rows: z.int(),
  threads: z.int(),
  gone: z.int(),
  kept: z.int(),
  orphans: z.int(),
  /** Kept messages by reason. */
  kept_by: z.partialRecord(KeptReason, z.int()),
  /** SHA-256 of the ids that it names, and of all outcomes once it is closed; '' if there are none. */
  digest: z.string(),
  proof: z.string(),
  server_version: z.string(),
  /** Why it was refused or stopped. */
  reason: z.string(),
});
export type Order = z.infer<typeof Order>;

/** A connected server, as the team sees it. Times are in milliseconds, 0 for never. */
export const Connection = z.object({
  id: Id,
  provider: z.string(),
  name: z.string(),
  remote_team_id: z.string(),
  direct_messages: z.boolean(),
  accepted_at: z.int(),
  accepted_by_name: z.string(),
  paused: z.boolean(),
  health: ConnectionHealth,
  /** One sentence; '' if all is well. */
  reason: z.string(),
  server_version: z.string(),
  last_seen_at: z.int(),
  checks: z.array(CheckRow),
  rehearsed_at: z.int(),
  rehearsal: z.array(CheckRow),
  users: z.int(),
  channels: z.int(),
  /** Channels whose messages were listed completely at least once. */
  channels_filled: z.int(),
  /** Channels in which nothing is deleted, because they can only be read. */
  channels_read_only: z.int(),
  /** In complete lists, and so far in those that are being sent. */
  messages: z.int(),
  /** Seconds until everything was listed once, at the rate so far; null if that is unknown or done. */
  seconds_left: z.int().nullable(),
  /** The oldest of the latest complete lists; 0 while the first ones run. */
  listed_at: z.int(),
  open_order: Order.nullable(),
});
export type Connection = z.infer<typeof Connection>;

export const listConnections = endpoint({
  name: 'listConnections',
  method: 'GET',
  path: '/admin/teams/:teamId/connections',
  summary: 'Connected servers of the team, with their health.',
  params: TeamParams,
  answer: z.object({ records: z.array(Connection) }),
});

/** Only for owners. From then on the server's users, channels and messages are listed here; nothing is deleted without a rule. */
export const acceptConnection = endpoint({
  name: 'acceptConnection',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/accept',
  summary: 'Accept that this team governs a team of a connected server.',
  params: ConnectionParams,
  answer: Done,
});

/** Only for owners. Ends rules and orders; what was listed is removed here, and nothing at the server. */
export const leaveConnection = endpoint({
  name: 'leaveConnection',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/leave',
  summary: 'Stop governing a team of a connected server.',
  params: ConnectionParams,
  answer: Done,
});

/** A paused connection deletes nothing; a permit that was begun is finished. */
export const pauseConnection = endpoint({
  name: 'pauseConnection',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/pause',
  summary: 'Pause or resume deletion at a connected server.',
  params: ConnectionParams,
  body: z.object({ paused: z.boolean() }),
  answer: Done,
});

export const ConnectedUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  is_bot: z.boolean(),
  deactivated_at: z.int(),
  /** The actions that the caller may ask for. */
  actions: z.array(WorkAction),
  /** Why deactivating isn't among them; '' if it is. */
  reason: z.string(),
  /**
   * The account that an invitation from this user led to, or the invitation while it isn't accepted; null without. `left`: the
   * account left the team, and nothing else is known of it.
   */
  account: z
    .object({
      user_id: z.string(),
      name: z.string(),
      email: z.string(),
      state: z.union([MemberState, z.literal('left')]),
    })
    .nullable(),
  can_invite: z.boolean(),
  /** The last action that was requested; null if there is none. */
  last_work: z
    .object({
      action: WorkAction,
      remote: z.enum(['waiting', 'done', 'refused']),
      detail: z.string(),
      asked_at: z.int(),
    })
    .nullable(),
});
export type ConnectedUser = z.infer<typeof ConnectedUser>;

/** By username. They have no account in Steward and are never part of the list of users. */
export const listConnectedUsers = endpoint({
  name: 'listConnectedUsers',
  costs: [SEARCH, EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/connections/:connectionId/users',
  summary: 'Users of the connected team.',
  params: ConnectionParams,
  query: z.object({
    ...listQuery,
    /** Also users who left the team. */
    former: Flag,
    /** Only users who are still active there although the linked account lost its access to this team. */
    ended: Flag,
  }),
  answer: listAnswer(ConnectedUser),
});

/** `remote` says what is known when the call ends: usually `waiting`, until the bridge reports. */
export const askConnectedServer = endpoint({
  name: 'askConnectedServer',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/work',
  summary: 'Ask the connected server to do something about users.',
  params: ConnectionParams,
  body: z.object({
    action: WorkAction,
    user_ids: z.array(ExternalId).min(1).max(CONNECTED_USERS_MAX),
  }),
  answer: z.object({
    records: z.array(
      z.object({ user_id: z.string(), remote: z.enum(['waiting', 'done', 'refused']), detail: z.string() }),
    ),
  }),
});

const ConnectedUserParams = ConnectionParams.extend({ remoteUserId: ExternalId });

/**
 * Invites the user as a Team User. The account that accepts this invitation is linked to this user of the server; another
 * invitation to the same address links no account. `email` is the address that the caller saw: the server can change it at any time.
 */
export const inviteConnectedUser = endpoint({
  name: 'inviteConnectedUser',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/users/:remoteUserId/invite',
  summary: 'Invite a user of a connected server to the team.',
  params: ConnectedUserParams,
  body: z.object({ email: Email }),
  answer: Done,
});

/** The account stays a member, and an invitation stays open. Nothing happens at the server. */
export const unlinkConnectedUser = endpoint({
  name: 'unlinkConnectedUser',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/users/:remoteUserId/unlink',
  summary: 'Unlink an account from a user of a connected server.',
  params: ConnectedUserParams,
  answer: Done,
});

export const ConnectedChannel = z.object({
  id: z.string(),
  type: ConnectedChannelType,
  /** '' for direct and group channels. */
  name: z.string(),
  archived: z.boolean(),
  messages: z.int(),
  listed_at: z.int(),
  read_only: ReadOnly,
  is_default: z.boolean(),
});
export type ConnectedChannel = z.infer<typeof ConnectedChannel>;

/** Public and private channels by name; names of private ones only for owners, '' for others. */
export const listConnectedChannels = endpoint({
  name: 'listConnectedChannels',
  costs: [SEARCH, EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/connections/:connectionId/channels',
  summary: 'Channels of the connected team.',
  params: ConnectionParams,
  query: z.object({
    ...listQuery,
    /** Only default channels. */
    defaults: Flag,
    /** Only public channels that aren't archived, which can be default channels. */
    open: Flag,
  }),
  answer: listAnswer(ConnectedChannel),
});

/** The channels that `add_to_channels` adds users to; only public ones. */
export const saveConnectedDefaults = endpoint({
  name: 'saveConnectedDefaults',
  method: 'PUT',
  path: '/admin/teams/:teamId/connections/:connectionId/default_channels',
  summary: 'Choose the default channels at a connected server.',
  params: ConnectionParams,
  body: z.object({ channel_ids: z.array(ExternalId).max(DEFAULT_CHANNELS_MAX) }),
  answer: Done,
});

const perKind = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ public_channels: schema, private_channels: schema, direct_messages: schema.optional() });

/** `direct_messages` only for the team that governs them. */
export const getConnectedRules = endpoint({
  name: 'getConnectedRules',
  method: 'GET',
  path: '/admin/teams/:teamId/connections/:connectionId/retention',
  summary: 'Retention rules for messages at a connected server.',
  params: ConnectionParams,
  answer: perKind(SavedRule),
});

/**
 * A stricter rule takes effect after 24 hours. Refused until all messages of the team were listed once
 * (`connections.filling`).
 */
export const saveConnectedRules = endpoint({
  name: 'saveConnectedRules',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/retention',
  summary: 'Save retention rules for messages at a connected server.',
  params: ConnectionParams,
  body: perKind(KeepRule),
  answer: perKind(SavedRule),
});

/** Messages and earlier versions in threads that are due. */
export const ConnectedPreview = z.object({
  threads: z.int(),
  rows: z.int(),
  files: z.int(),
  bytes: z.int(),
  /** Rows in threads that a legal hold keeps. */
  held: z.int(),
  /** Old rows in threads that another message keeps: a younger one, or one with activity within a day. */
  in_threads: z.int(),
  /** Old rows that arrived within the last day, which wait. */
  arrived: z.int(),
  oldest: z.int().nullable(),
  newest: z.int().nullable(),
  cutoff: z.int().nullable(),
  deletes_more: z.boolean(),
  effective_at: z.int(),
  first_run_at: z.int(),
  /** Seconds that a run will take at the server. */
  seconds: z.int(),
});
export type ConnectedPreview = z.infer<typeof ConnectedPreview>;

/** Counts with the conditions that orders are opened by; changes nothing. */
export const previewConnectedRules = endpoint({
  name: 'previewConnectedRules',
  costs: [COUNT],
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/retention/preview',
  summary: 'What rules would delete at a connected server now.',
  params: ConnectionParams,
  body: perKind(KeepRule).partial(),
  answer: z.partialRecord(ConnectedKind, ConnectedPreview),
});

export const listOrders = endpoint({
  name: 'listOrders',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/connections/:connectionId/orders',
  summary: 'Orders to a connected server, newest first.',
  params: ConnectionParams,
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit }),
  answer: listAnswer(Order),
});

/** Ends an order between two permits; messages of a permit that was begun are still deleted. */
export const stopOrder = endpoint({
  name: 'stopOrder',
  method: 'POST',
  path: '/admin/teams/:teamId/connections/:connectionId/orders/:orderId/stop',
  summary: 'Stop an order.',
  params: ConnectionParams.extend({ orderId: Id }),
  answer: Order,
});

export const OrderRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  /** '' for direct channels, and for private ones unless the caller is an owner. */
  channel_name: z.string(),
  thread_id: z.string(),
  created_at: z.int(),
  /** '' while it is open. */
  outcome: z.enum(['', 'gone', 'kept']),
  reason: z.union([z.literal(''), KeptReason]),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** By id. Rows are kept for 30 days after the order. */
export const listOrderRows = endpoint({
  name: 'listOrderRows',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/connections/:connectionId/orders/:orderId/rows',
  summary: 'Messages that an order names.',
  params: ConnectionParams.extend({ orderId: Id }),
  query: z.object({
    /** Only kept ones. */
    kept: Flag,
    reason: KeptReason.optional(),
    last_key: LastKey.optional(),
    limit: listQuery.limit,
  }),
  answer: listAnswer(OrderRow),
});
