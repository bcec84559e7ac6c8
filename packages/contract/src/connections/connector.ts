import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, isVisible, LastKey, listAnswer, text, wholeNumber } from '../api/fields.ts';
import { CONNECTOR_PAGE_MAX, CONNECTOR_WAIT_MAX, PERMIT_ROWS_MAX, SMALL_BODY_MAX } from '../api/limits.ts';
import { CheckRow, ConnectedChannelType, ExternalId, KeptReason, ReadOnly, Sentence, WorkAction } from './fields.ts';

/**
 * Calls of a bridge: a program that stands between Steward and one connected server. Each sends the connector token as
 * `Authorization: Bearer stc_…`; all but `takeLease` also send the lease as `Connector-Lease`. All times are in milliseconds.
 */
export const LEASE_HEADER = 'connector-lease';

const At = z.int().min(0).max(253_402_300_799_999);
const Name = text(256);

/** A team of the connected server and the team that governs it. */
export const Mapping = z.object({
  remote_team_id: z.string(),
  /** False until an owner accepts it, and after an owner left: nothing may be reported or done for that team. */
  accepted: z.boolean(),
  paused: z.boolean(),
  /** This team governs direct and group messages of the server. */
  direct_messages: z.boolean(),
});

/**
 * Takes the lease of the connection for a minute, or extends it if `lease` is the current one. Another bridge with the same token
 * is refused (`connector.leased`) until the lease ends.
 */
export const takeLease = endpoint({
  name: 'takeLease',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/connector/lease',
  summary: 'Take or extend the lease of the connection.',
  body: z.object({ lease: Id.optional(), bridge: Name.refine(isVisible, 'must have visible characters') }),
  answer: z.object({
    lease: Id,
    /** Seconds after which the lease ends unless it is extended. */
    seconds: z.int(),
    connection: z.object({ id: Id, provider: z.string(), name: z.string(), mappings: z.array(Mapping) }),
    /** Last complete list of users and of channels; 0 if there was none. */
    users_listed_at: z.int(),
    channels_listed_at: z.int(),
    /** Last rehearsal; 0 if there was none. */
    rehearsed_at: z.int(),
    rehearsal_passed: z.boolean(),
    /** An order waits for a rehearsal. */
    wants_rehearsal: z.boolean(),
  }),
});

export const releaseLease = endpoint({
  name: 'releaseLease',
  method: 'DELETE',
  path: '/connector/lease',
  summary: 'End the lease, so that another bridge can take it at once.',
  answer: Done,
});

/** With any failed check, nothing is deleted. */
export const reportStatus = endpoint({
  name: 'reportStatus',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/connector/status',
  summary: 'Report the version of the server and the result of its checks.',
  body: z.object({ server_version: Name, checks: z.array(CheckRow).max(30) }),
  answer: Done,
});

/** A rehearsal passes if all of its rows do. */
export const reportRehearsal = endpoint({
  name: 'reportRehearsal',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/connector/rehearsal',
  summary: 'Report the result of a rehearsal.',
  body: z.object({ server_version: Name, checks: z.array(CheckRow).min(1).max(30), calls: z.int().min(0) }),
  answer: z.object({ passed: z.boolean() }),
});

/** A user as the server describes them. Roles of the server give no right in Steward. */
export const RemoteUser = z.strictObject({
  id: ExternalId,
  username: Name,
  name: Name,
  email: Name,
  roles: z.array(text(64)).max(30),
  /** All teams of the server that the user belongs to, mapped or not. */
  team_ids: z.array(ExternalId).max(2_000),
  is_bot: z.boolean(),
  owns_bots: z.boolean(),
  /** A system admin, the bridge's own bot or the owner of that bot: no action is ever requested for them. */
  is_protected: z.boolean(),
  /** 0 if active. */
  deactivated_at: At,
});
export type RemoteUser = z.infer<typeof RemoteUser>;

export const RemoteChannel = z.strictObject({
  id: ExternalId,
  type: ConnectedChannelType,
  /** '' for direct and group channels, which belong to no team. */
  team_id: z.union([z.literal(''), ExternalId]),
  name: Name,
  /** Members of a direct or group channel; empty for others. */
  member_ids: z.array(ExternalId).max(20),
  /** 0 if not archived. */
  archived_at: At,
});
export type RemoteChannel = z.infer<typeof RemoteChannel>;

/** Description of a message. Its text is never sent: an unknown field is refused. */
export const RemoteMessage = z.strictObject({
  id: ExternalId,
  user_id: z.union([z.literal(''), ExternalId]),
  /** First message of its thread; '' if it is that message itself, or an earlier version of it. */
  root_id: z.union([z.literal(''), ExternalId]),
  /** The message that this is an earlier version of; '' for messages. */
  original_id: z.union([z.literal(''), ExternalId]),
  created_at: At,
  /** Last change of any kind, such as a reply or a reaction. */
  updated_at: At,
  /** 0 if never edited. */
  edited_at: At,
  /** 0 unless it is marked deleted. */
  deleted_at: At,
  kind: text(64),
  /** Bytes of its text in UTF-8; null if the server doesn't tell, as for messages that are marked deleted. */
  size: z.int().min(0).max(2_147_483_647).nullable(),
  files: z.array(z.strictObject({ id: ExternalId, size: z.int().min(0).max(1e12).nullable() })).max(100),
});
export type RemoteMessage = z.infer<typeof RemoteMessage>;

/** What a list is of; messages of one channel. */
const Listed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('users') }),
  z.object({ kind: z.literal('channels') }),
  z.object({ kind: z.literal('messages'), channel_id: ExternalId }),
]);

/** An unfinished list of the same kind, or of the same channel, ends. */
export const startList = endpoint({
  name: 'startList',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/connector/lists',
  summary: 'Begin a complete list of users, of channels, or of the messages of a channel.',
  body: Listed,
  answer: z.object({ list_id: Id }),
});

const ListParams = z.object({ listId: Id });

/**
 * Adds a page; pages come in order, beginning with 0, and the last one may be repeated. Users of teams that aren't mapped,
 * channels of such teams, and direct channels without a team that governs them, are left out.
 */
export const addListPage = endpoint({
  name: 'addListPage',
  bodyLimit: 4 * 1024 * 1024,
  method: 'PUT',
  path: '/connector/lists/:listId/pages/:page',
  summary: 'Add the next page of a list.',
  params: ListParams.extend({ page: wholeNumber(0, 1_000_000) }),
  body: z
    .strictObject({
      users: z.array(RemoteUser).max(CONNECTOR_PAGE_MAX).optional(),
      channels: z.array(RemoteChannel).max(CONNECTOR_PAGE_MAX).optional(),
      messages: z.array(RemoteMessage).max(CONNECTOR_PAGE_MAX).optional(),
    })
    .refine(
      ({ users, channels, messages }) => [users, channels, messages].filter((rows) => rows !== undefined).length === 1,
      'must contain either users, channels or messages',
    ),
  answer: z.object({ taken: z.int(), left_out: z.int() }),
});

/**
 * Removes what wasn't in the list. `hint` is a value of the server that changes when the channel does. `seconds` is how long reading
 * took at the server: a channel that takes over an hour is only read. With `failed` the list ends and nothing is removed: the server
 * refuses to list the channel, which is only read until a complete list of it.
 */
export const finishList = endpoint({
  name: 'finishList',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/connector/lists/:listId/finish',
  summary: 'End a complete list: what was not in it is removed here.',
  params: ListParams,
  body: z.object({
    pages: z.int().min(0),
    hint: text(200).default(''),
    seconds: z.int().min(0).default(0),
    failed: z.boolean().default(false),
  }),
  answer: z.object({ removed: z.int() }),
});

/** For changes between two lists of a channel. Removes nothing. */
export const saveRemoteMessages = endpoint({
  name: 'saveRemoteMessages',
  bodyLimit: 4 * 1024 * 1024,
  method: 'POST',
  path: '/connector/messages',
  summary: 'Report changed messages of a channel.',
  body: z.strictObject({
    channel_id: ExternalId,
    messages: z.array(RemoteMessage).max(CONNECTOR_PAGE_MAX),
    hint: text(200).optional(),
  }),
  answer: z.object({ taken: z.int() }),
});

/** Channels whose messages must be listed for an open order come first, then those that never were, then the oldest lists. */
export const listChannelsToRead = endpoint({
  name: 'listChannelsToRead',
  method: 'GET',
  path: '/connector/channels',
  summary: 'Channels in the order in which their messages should be listed.',
  query: z.object({ last_key: LastKey.optional() }),
  answer: listAnswer(
    z.object({
      id: z.string(),
      type: ConnectedChannelType,
      team_id: z.string(),
      /** Begin and end of the last complete list of its messages; 0 if there was none. */
      list_began_at: z.int(),
      listed_at: z.int(),
      hint: z.string(),
      read_only: ReadOnly,
      /** An open order needs a new list. */
      needed: z.boolean(),
    }),
  ),
});

/** Work that an admin requested. Each piece is given again until its outcome is reported. */
export const Work = z.object({
  id: Id,
  action: WorkAction,
  user_id: z.string(),
  team_id: z.string(),
  /** For `add_to_channels`. */
  channel_ids: z.array(z.string()),
});
export type Work = z.infer<typeof Work>;

/** Waits up to `wait` seconds until there is work. */
export const takeWork = endpoint({
  name: 'takeWork',
  method: 'GET',
  path: '/connector/work',
  summary: 'Wait for work.',
  query: z.object({ wait: wholeNumber(0, CONNECTOR_WAIT_MAX).default(0) }),
  answer: z.object({ records: z.array(Work) }),
});

/** An outcome is recorded once; repeating the same one changes nothing. */
export const reportWork = endpoint({
  name: 'reportWork',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/connector/work/:workId/outcome',
  summary: 'Report the outcome of a piece of work.',
  params: z.object({ workId: Id }),
  body: z.object({
    outcome: z.enum(['done', 'refused']),
    /** Why it was refused, or what stays in effect, such as tokens of bots. */
    detail: Sentence,
  }),
  answer: Done,
});

/** A message that may be deleted now. */
export const PermitRow = z.object({
  id: z.string(),
  thread_id: z.string(),
  original_id: z.string(),
  created_at: z.int(),
  file_ids: z.array(z.string()),
});
export type PermitRow = z.infer<typeof PermitRow>;

export const Permit = z.object({
  id: Id,
  order_id: Id,
  team_id: z.string(),
  channel_id: z.string(),
  channel_type: ConnectedChannelType,
  /** Earlier versions come first, then replies, then the first message of a thread. */
  rows: z.array(PermitRow),
  /** False while messages of a thread that is too large for one permit remain for the next one. */
  whole_threads: z.boolean(),
  /** It was begun earlier and must be finished. */
  begun: z.boolean(),
  /** The team stopped governing the server: nothing may be deleted anymore, and each message is read and reported as it is. */
  only_read: z.boolean(),
  /**
   * This is the last attempt: a message that the server still has is `kept` because of `residue`, and one without an outcome is
   * `kept` as `unverified`.
   */
  last: z.boolean(),
});
export type Permit = z.infer<typeof Permit>;

/**
 * Gives the next messages of an order, at most 400, or null with the reason. A permit that isn't begun within two minutes is void.
 * One that was begun is given again until each of its messages has an outcome, or it was attempted often enough. Open orders take turns.
 */
export const takePermit = endpoint({
  name: 'takePermit',
  method: 'POST',
  path: '/connector/permits',
  summary: 'Take the next permit to delete messages.',
  answer: z.object({
    permit: Permit.nullable(),
    /**
     * `nothing`: no order is open. `paused`: an admin's decision. `problem`: a check of the server failed or is old.
     * `rehearsal`: a passed rehearsal is missing. `list`: `channel_id` needs a new list of its messages.
     */
    reason: z.enum(['', 'nothing', 'paused', 'problem', 'rehearsal', 'list']),
    channel_id: z.string(),
  }),
});

const PermitParams = z.object({ permitId: Id });

/** Checks rule, holds, threads, mapping and rehearsal again. Refuses a void permit (`connector.permit_void`). */
export const beginPermit = endpoint({
  name: 'beginPermit',
  method: 'POST',
  path: '/connector/permits/:permitId/begin',
  summary: 'Begin to delete what a permit names.',
  params: PermitParams,
  answer: Done,
});

/**
 * `gone` only after the server answered that neither the message nor its files exist. Messages without an outcome stay open. A
 * repeated outcome changes nothing, another one is refused (`connector.reported`).
 */
export const reportOutcomes = endpoint({
  name: 'reportOutcomes',
  method: 'POST',
  path: '/connector/permits/:permitId/outcomes',
  summary: 'Report what became of the messages of a permit.',
  params: PermitParams,
  body: z.object({
    outcomes: z
      .array(
        z.discriminatedUnion('outcome', [
          z.object({ id: ExternalId, outcome: z.literal('gone') }),
          z.object({ id: ExternalId, outcome: z.literal('kept'), reason: KeptReason }),
        ]),
      )
      .max(PERMIT_ROWS_MAX),
    /** Versions without a message that edits in flight had left, and that were deleted too. */
    orphans: z.int().min(0).max(10_000).default(0),
    /** Every message was read again, or the server refused to tell. Only then it counts as an attempt. */
    complete: z.boolean().default(false),
  }),
  answer: z.object({ open: z.int() }),
});
