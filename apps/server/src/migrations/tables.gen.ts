// Generated from the migrated schema by `npm run generate:tables`. Don't edit: notes are in column-notes.ts.
import type { JSONColumnType } from 'kysely';
import type { Computed, Day, Defaulted, Timestamp } from './column-types.ts';

/** Who tells when members of a team were active. Nobody counts as inactive before it began. */
interface ActivitySourcesTable {
  team_id: string;
  kind: 'sso' | 'reports';
  began_at: Timestamp;
  /** The last report. */
  heard_at: Timestamp;
}

/** Contents of archived files and recordings. */
interface ArchivedBlobsTable {
  team_id: string;
  run_id: string;
  number: number;
  blob: string;
}

/** The chain of each team over its rows of the audit log. Rows never change. */
interface AuditChainTable {
  team_id: string;
  /** Counted from 1 in each team, without gaps. */
  position: number;
  /** Counted from 1 over all teams, without gaps: the order in which the sink gets rows. */
  number: number;
  event_id: string;
  key_id: string;
  /** MAC of details, address and request id, which erasing a person may rewrite. */
  content: string;
  /** MAC of the row and of the digest of the position before. */
  digest: string;
}

/** The audit log: who did what, when and from where. Rows never change. */
interface AuditEventsTable {
  /** '' for an event outside any team. */
  team_id: Defaulted<string>;
  id: string;
  at: Defaulted<Timestamp>;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: Defaulted<JSONColumnType<Record<string, unknown>>>;
  address: string;
  request_id: string;
  /** Key id and MAC by the process that wrote the row; null for rows from before the chain. */
  signature: string | null;
}

/** The end of the chain of each team. */
interface AuditHeadsTable {
  team_id: string;
  count: number;
  digest: string;
  /** Rows from before the chain. */
  earlier: number;
  key_id: string;
  /** MAC of the other columns. */
  seal: string;
}

/** Keys that rows of the chain were signed with, so that they can be verified after SECRET_KEY changes. */
interface AuditKeysTable {
  id: string;
  /** Encrypted with SECRET_KEY. */
  sealed: string;
  created_at: Defaulted<Timestamp>;
}

/** Rows of the audit log that are not in the chain yet, for about a second. */
interface AuditPendingTable {
  team_id: string;
  event_id: string;
}

/** The end of the chain over the digests of all teams; one row. */
interface AuditServerHeadTable {
  id: Defaulted<boolean>;
  number: number;
  digest: string;
  key_id: string;
  seal: string;
}

/** One row with the position up to which rows were sent to AUDIT_SINK, and the process that sends them. */
interface AuditSinkTable {
  id: Defaulted<boolean>;
  number: Defaulted<number>;
  sent_at: Timestamp | null;
  holder: string | null;
  held_until: Timestamp | null;
}

/** Items whose date a service moved below the cutoff of a rule in the last 24 hours. */
interface BackdatedItemsTable {
  team_id: string;
  item_id: string;
  at: Defaulted<Timestamp>;
}

/** Addresses that no invitation link of a team admits, by a keyed hash: their owner declined or was erased. */
interface BarredAddressesTable {
  team_id: string;
  address_hash: string;
  barred_at: Defaulted<Timestamp>;
}

/** Owners who may open a team without the single sign-on that it requires. Each has a second factor. */
interface BreakGlassOwnersTable {
  team_id: string;
  person_id: string;
  named_at: Defaulted<Timestamp>;
}

/** Adds the current members of a team to its default channels or those of groups, batch by batch. */
interface ChannelJoinsTable {
  team_id: string;
  id: string;
  channel_ids: string[];
  started_by: string | null;
  started_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  people_total: number;
  people_done: Defaulted<number>;
  joined: Defaulted<number>;
  /** Id of the last person processed; the next batch starts after it. */
  reached: Defaulted<string>;
  source: Defaulted<'defaults' | 'groups'>;
  removed: Defaulted<number>;
}

interface ChannelMembersTable {
  team_id: string;
  channel_id: string;
  person_id: string;
  create_at: number;
  /** Only memberships by a group end with it. */
  reason: Defaulted<'person' | 'default' | 'group'>;
}

/** A channel: O public, P private, D direct. Its type never changes. */
interface ChannelsTable {
  team_id: string;
  id: string;
  type: 'O' | 'P' | 'D';
  /** Unique in the team: `general`, `design-reviews`. */
  name: string;
  display_name: string;
  header: Defaulted<string>;
  purpose: Defaulted<string>;
  creator_id: Defaulted<string>;
  create_at: number;
  update_at: number;
  /** 0, or when it was archived. */
  delete_at: Defaulted<number>;
  last_post_at: Defaulted<number>;
}

/** Lets a user read a private or direct channel without being a member. Ended access has no row. */
interface ComplianceAccessTable {
  team_id: string;
  channel_id: string;
  person_id: string;
  granted_by: string;
  reason: string;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
}

/** Channels of connected servers that a team governs. */
interface ConnectedChannelsTable {
  server_id: string;
  id: string;
  remote_team_id: string;
  team_id: string;
  type: 'O' | 'P' | 'D' | 'G';
  name: string;
  member_ids: string[];
  archived_at: number;
  /** Time at which the team began to govern the channel. */
  arrived_at: Defaulted<Timestamp>;
  /** A value of the server that changes when the channel does. */
  hint: Defaulted<string>;
  list_began_at: Timestamp | null;
  listed_at: Timestamp | null;
  /** Messages in the last complete list. */
  messages: Defaulted<number>;
  list_id: string | null;
  /** Why nothing is deleted in it: 'slow' or 'refused'; '' if that is possible. */
  read_only: Defaulted<'' | 'slow' | 'refused'>;
}

/** The account of a user of a connected server, by an invitation that was sent from that user. */
interface ConnectedLinksTable {
  server_id: string;
  team_id: string;
  user_id: string;
  /** The invitation, then the account that accepted it; null after it left the team. */
  person_id: string | null;
  invited_at: Defaulted<Timestamp>;
  /** Null until the invitation was accepted. */
  linked_at: Timestamp | null;
  /** Set when the end of the access here was passed on to the server. */
  removal_asked_at: Timestamp | null;
}

/** Complete lists that a bridge is sending. */
interface ConnectedListsTable {
  server_id: string;
  id: string;
  kind: 'users' | 'channels' | 'messages';
  channel_id: Defaulted<string>;
  began_at: Defaulted<Timestamp>;
  next_page: Defaulted<number>;
  /** Rows so far. */
  rows: Defaulted<number>;
}

/** Descriptions of messages and of their earlier versions, without their text. */
interface ConnectedMessagesTable {
  server_id: string;
  id: string;
  channel_id: string;
  /** First message of the thread; of an earlier version, the thread of its message. */
  thread_id: string;
  /** The message that this is an earlier version of; '' for messages. */
  original_id: string;
  user_id: string;
  created_at: number;
  /** Last change of any kind. */
  active_at: number;
  deleted_at: number;
  kind: string;
  size: number | null;
  file_ids: string[];
  file_bytes: number | null;
  /** Time at which it was first listed here, or moved. */
  arrived_at: Defaulted<Timestamp>;
  list_id: string | null;
  /** Size of each file in bytes, null where the server did not report it; null if it reported none. */
  file_sizes: number[] | null;
}

/** Messages that an order names, with their outcomes. */
interface ConnectedOrderRowsTable {
  order_id: string;
  id: string;
  channel_id: string;
  thread_id: string;
  created_at: number;
  outcome: Defaulted<'' | 'gone' | 'kept'>;
  reason: Defaulted<string>;
}

/** Messages that a bridge is to delete, night by night, with the proof. */
interface ConnectedOrdersTable {
  id: string;
  server_id: string;
  team_id: string;
  state: 'open' | 'done' | 'stopped' | 'refused';
  opened_at: Defaulted<Timestamp>;
  closed_at: Timestamp | null;
  rows: number;
  threads: number;
  /** SHA-256 of the ids. */
  digest: string;
  /** SHA-256 of the ids with their outcomes. */
  proof: Defaulted<string>;
  gone: Defaulted<number>;
  kept_by: Defaulted<JSONColumnType<Record<string, unknown>>>;
  /** Earlier versions without a message that were deleted too. */
  orphans: Defaulted<number>;
  server_version: Defaulted<string>;
  reason: Defaulted<string>;
  /** Time of the last permit for it, by which open orders take turns. */
  turn_at: Timestamp | null;
}

/** Parts of orders that a bridge may delete. */
interface ConnectedPermitsTable {
  id: string;
  order_id: string;
  server_id: string;
  channel_id: string;
  row_ids: string[];
  is_whole: boolean;
  issued_at: Defaulted<Timestamp>;
  /** From then on it is finished, even if someone decides otherwise. */
  begun_at: Timestamp | null;
  closed_at: Timestamp | null;
  /** The messages as they were known when it was issued; empty once it is closed. */
  rows: Defaulted<JSONColumnType<Record<string, unknown>>>;
  /** How often it was given again after its begin. */
  given: Defaulted<number>;
  /** Attempts that read every message again and left some without an outcome. */
  attempts: Defaulted<number>;
}

/** Retention rules for messages at connected servers. */
interface ConnectedRulesTable {
  server_id: string;
  team_id: string;
  kind: string;
  rule: JSONColumnType<Record<string, unknown>>;
  /** Replaces `rule` at `effective_at`. */
  waiting: JSONColumnType<Record<string, unknown>> | null;
  effective_at: Timestamp | null;
  saved_by: string | null;
  reminded: Defaulted<boolean>;
}

/** Servers of other products that a bridge connects. */
interface ConnectedServersTable {
  id: string;
  provider: string;
  name: string;
  token_hash: string;
  created_at: Defaulted<Timestamp>;
  /** The bridge that may act until `lease_until`. */
  lease_id: string | null;
  lease_until: Timestamp | null;
  bridge: Defaulted<string>;
  server_version: Defaulted<string>;
  /** Result of the last check of the server: names, and whether each passed. */
  checks: Defaulted<JSONColumnType<Record<string, unknown>>>;
  reported_at: Timestamp | null;
  rehearsal: Defaulted<JSONColumnType<Record<string, unknown>>>;
  rehearsal_passed: Defaulted<boolean>;
  rehearsed_at: Timestamp | null;
  users_listed_at: Timestamp | null;
  channels_listed_at: Timestamp | null;
}

/** A team of a connected server, and the team that governs it. */
interface ConnectedTeamsTable {
  server_id: string;
  remote_id: string;
  team_id: string;
  /** It also governs direct and group messages of the server. */
  direct_messages: boolean;
  accepted_at: Timestamp | null;
  accepted_by: string | null;
  paused_at: Timestamp | null;
  /** Last night whose order was decided, as a day of the team's calendar. */
  night: Defaulted<string>;
  default_channel_ids: Defaulted<string[]>;
}

/** Users of connected servers. They have no account here. */
interface ConnectedUsersTable {
  server_id: string;
  id: string;
  username: string;
  name: string;
  email: string;
  roles: string[];
  /** Teams of the server, mapped or not. */
  team_ids: string[];
  /** Teams that they were in before. */
  left_team_ids: Defaulted<string[]>;
  is_bot: boolean;
  owns_bots: boolean;
  /** No action is ever requested for system admins, the bot of the bridge and its owner. */
  is_protected: boolean;
  deactivated_at: number;
  list_id: string | null;
}

/** Actions on users that admins requested from connected servers. */
interface ConnectedWorkTable {
  server_id: string;
  id: string;
  team_id: string;
  remote_team_id: string;
  user_id: string;
  action: string;
  channel_ids: Defaulted<string[]>;
  asked_by: string | null;
  asked_at: Defaulted<Timestamp>;
  outcome: Defaulted<'' | 'done' | 'refused'>;
  detail: Defaulted<string>;
  done_at: Timestamp | null;
}

/** Channels that new members of a team join. `general` is one of them without a row. */
interface DefaultChannelsTable {
  team_id: string;
  channel_id: string;
  /** Last known display name, shown if the channel no longer exists. */
  channel_name: string;
}

/** Webhook deliveries from the help desk, kept for 30 days. */
interface DeliveriesTable {
  team_id: string;
  id: string;
  integration_id: string;
  /** The vendor's id of the delivery: the same for each attempt. */
  invocation_id: string;
  received_at: Defaulted<Timestamp>;
  headers: JSONColumnType<Record<string, string>>;
  body: string;
  text: Defaulted<string>;
  note: Defaulted<string>;
  state: Defaulted<'waiting' | 'posted' | 'partly' | 'failed' | 'ignored'>;
  /** An earlier row has the same invocation; this one is never posted. */
  is_repeat: Defaulted<boolean>;
}

interface DeliveryChannelsTable {
  team_id: string;
  delivery_id: string;
  channel_id: string;
  /** Last known display name, shown if the channel no longer exists. */
  channel_name: string;
  state: Defaulted<'waiting' | 'posted' | 'failed'>;
  post_id: Defaulted<string>;
  attempts: Defaulted<number>;
  error: Defaulted<string>;
}

interface DirectoryEntriesTable {
  team_id: string;
  id: string;
  name: string;
  phone_number: Defaulted<string>;
  sms: Defaulted<string>;
  email: Defaulted<string>;
  /** Team member who had this email address when the entry was saved; '' for none. */
  user_id: Defaulted<string>;
  last_picture_update: Defaulted<number>;
  /** Incremented by each change, so that undoing an import can tell later edits. */
  revision: Defaulted<number>;
  /** The import that created the entry; '' for none. */
  import_id: Defaulted<string>;
  name_key: Defaulted<string>;
  search: Defaulted<string>;
}

interface DirectoryImportChangesTable {
  team_id: string;
  import_id: string;
  entry_id: string;
  /** The entry before the import changed it; null for a created entry that undoing kept. */
  before: JSONColumnType<Record<string, unknown>> | null;
  /** Revision of the entry right after the import. */
  revision: number;
  /** Null until the import is undone. */
  outcome: 'restored' | 'edited' | 'deleted' | null;
}

interface DirectoryImportsTable {
  team_id: string;
  id: string;
  file_name: string;
  state: 'running' | 'finished' | 'cancelled' | 'interrupted' | 'undoing' | 'undone';
  started_by: string;
  started_at: Defaulted<Timestamp>;
  /** When the last chunk arrived, or the last batch was undone. */
  touched_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  created: Defaulted<number>;
  changed: Defaulted<number>;
  unchanged: Defaulted<number>;
  failed: Defaulted<number>;
  /** Created entries have ids from `first_id` to `last_id`; null for none. */
  first_id: string | null;
  last_id: string | null;
  removed: Defaulted<number>;
  restored: Defaulted<number>;
  kept: Defaulted<number>;
  undone_by: string | null;
  undone_at: Timestamp | null;
}

/** People whom a team erased, and how far a job is that searches content and the audit log for their address. */
interface ErasuresTable {
  team_id: string;
  person_id: string;
  /** The team shows `Deleted user` and this code as the name. */
  code: string;
  /** Kept if it belonged to another team. */
  account: 'deleted' | 'kept';
  started_at: Defaulted<Timestamp>;
  touched_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  /** The names and addresses to search for, encrypted; null at the end. */
  sealed: string | null;
  /** Number of the step that is worked on. */
  step: Defaulted<number>;
  /** The last id of the last page of that step. */
  reached: Defaulted<string>;
}

/** A file in the workspace. */
interface FilesTable {
  team_id: string;
  id: string;
  /** Id at the service that sent it; null for a file that was uploaded here. */
  external_id: string | null;
  /** '' outside any channel. */
  channel_id: Defaulted<string>;
  /** Message it is attached to; '' for none. */
  post_id: Defaulted<string>;
  user_id: Defaulted<string>;
  name: string;
  size: number;
  /** Key of its content in the blob store; null if the sending service keeps the content. */
  blob: string | null;
  /** SHA-256 of the content, to detect changed content. */
  digest: Defaulted<string>;
  create_at: number;
  update_at: number;
  delete_at: Defaulted<number>;
  /** Marked for deletion: hidden while its blob, and then its row, are deleted. */
  doomed: Defaulted<boolean>;
  /** Source of the token that sent it; null also for content from before sources. */
  source_id: string | null;
}

/** People who left a team or were removed, as the team knew them. */
interface FormerMembersTable {
  team_id: string;
  person_id: string;
  name: string;
  email: string;
  left_at: Defaulted<Timestamp>;
}

/** Channels that the members of a group of the identity provider join. */
interface GroupChannelsTable {
  team_id: string;
  group_id: string;
  channel_id: string;
}

/** Channels that a legal hold names. */
interface HoldChannelsTable {
  team_id: string;
  channel_id: string;
  hold_id: string;
}

/** Channels of connected servers that a legal hold names. */
interface HoldConnectedChannelsTable {
  team_id: string;
  hold_id: string;
  server_id: string;
  channel_id: string;
}

/** Users of connected servers whom a legal hold names. */
interface HoldConnectedUsersTable {
  team_id: string;
  hold_id: string;
  server_id: string;
  user_id: string;
}

/** Direct channels that a person named by a legal hold belonged to when it was saved, or joined later; leaving changes nothing. */
interface HoldDirectChannelsTable {
  team_id: string;
  channel_id: string;
  hold_id: string;
}

/** Items that a hold on restored content keeps. */
interface HoldItemsTable {
  team_id: string;
  hold_id: string;
  item_id: string;
}

/** People whom a legal hold names. */
interface HoldPeopleTable {
  team_id: string;
  person_id: string;
  hold_id: string;
}

/** A legal hold: content that no rule deletes until the hold is released. */
interface HoldsTable {
  team_id: string;
  id: string;
  name: string;
  reason: string;
  /** Kinds of content that it covers; all when empty. */
  settings: Defaulted<string[]>;
  /** It covers content from this date on; null without a limit. */
  from_at: number | null;
  /** It covers content before this date; null without a limit. */
  to_at: number | null;
  /** True if it is limited to the people that it names. */
  has_people: boolean;
  /** True if it is limited to the channels that it names. */
  has_channels: boolean;
  created_at: Defaulted<Timestamp>;
  /** Null for a hold that the server added. */
  created_by: string | null;
  /** The run whose restored items it keeps; null for other holds. */
  run_id: string | null;
  version: Defaulted<number>;
  /** When it ends; null until it is released. */
  release_at: Timestamp | null;
  release_reason: Defaulted<string>;
  released_by: string | null;
}

/** Responses of changes that a client may repeat, kept for 24 hours. */
interface IdempotencyKeysTable {
  person_id: string;
  key: string;
  request_hash: string;
  /** Encrypted JSON: it may contain a secret that is shown only once. */
  answer: string | null;
  created_at: Defaulted<Timestamp>;
}

/** Members whom the rule leaves out. */
interface InactivityExceptionsTable {
  team_id: string;
  person_id: string;
  reason: string;
  /** The last day; null without an end. */
  until: Day | null;
  added_by: string;
  added_at: Timestamp;
}

/** What the rule did in each night of a team; kept for 90 days. */
interface InactivityNightsTable {
  team_id: string;
  night: Day;
  state: 'running' | 'done' | 'asks' | 'paused';
  /** Active members when the night began. */
  members: number;
  /** Whom a night would touch that waits for an owner, or waited. */
  asked_ids: Defaulted<string[]>;
  warned_ids: Defaulted<string[]>;
  reminded_ids: Defaulted<string[]>;
  deactivated_ids: Defaulted<string[]>;
  /** The deactivated_at of those in deactivated_ids, in that order. */
  deactivated_times: Defaulted<number[]>;
  confirmed_by: string | null;
  undone_by: string | null;
  undone_at: Timestamp | null;
  started_at: Timestamp;
  ended_at: Timestamp | null;
}

/** The rule of a team that warns members without activity and then deactivates them. */
interface InactivityRulesTable {
  team_id: string;
  source: 'sso' | 'reports';
  days: number;
  skips_held: boolean;
  skips_provisioned: boolean;
  /** Null while it is off. */
  on_since: Timestamp | null;
}

/** Members who were warned, until they are active, deactivated, or no longer under the rule. */
interface InactivityWarningsTable {
  team_id: string;
  person_id: string;
  warned_on: Day;
  first_mail_id: string;
  first_token_hash: string;
  /** The mail server accepted the email. Sent rows of `mails` go after a week. */
  first_accepted: Defaulted<boolean>;
  reminded_on: Day | null;
  second_mail_id: string | null;
  second_token_hash: string | null;
  second_accepted: Defaulted<boolean>;
}

interface IntegrationChannelsTable {
  team_id: string;
  integration_id: string;
  channel_id: string;
  channel_name: string;
}

/** The help desk of a team. */
interface IntegrationsTable {
  team_id: string;
  id: string;
  /** The provider, such as `zendesk`. */
  code: string;
  /** `connecting` and `disconnecting` outlive a crash, so that reconciling can finish the step. */
  state: 'off' | 'connecting' | 'on' | 'disconnecting';
  changed_at: Defaulted<Timestamp>;
  /** End of the lease held by `busy_by`: the vendor is never called in a transaction. */
  busy_until: Timestamp | null;
  busy_by: string | null;
  /** Subdomain at the vendor. */
  domain: string;
  username: string;
  authentication: 1 | 2 | 3;
  /** Encrypted JSON. */
  credentials: string | null;
  /** Hash of the key in the webhook URL. */
  path_hash: string;
  /** The key itself, encrypted. */
  path_key: string | null;
  webhook_id: string | null;
  /** Encrypted. */
  signing_secret: string | null;
  created_trigger_id: string | null;
  updated_trigger_id: string | null;
  ticket_created: Defaulted<boolean>;
  ticket_updated: Defaulted<boolean>;
  /** The template as entered. */
  message: string;
  /** Problems that the last check found, as sentences. */
  warnings: Defaulted<string[]>;
  /** The last check failed for good, for example because the vendor rejects the credentials. */
  broken: Defaulted<boolean>;
  /** The user that posts the messages. */
  user_id: string | null;
  connected_at: Defaulted<Timestamp>;
  checked_at: Timestamp | null;
  /** When the signing secret was last requested again. */
  secret_read_at: Timestamp | null;
  /** When it was last received. */
  secret_seen_at: Timestamp | null;
  last_delivery_at: Timestamp | null;
  last_error: Defaulted<string>;
  last_error_at: Timestamp | null;
  /** Refused calls to the webhook URL since the integration was connected. */
  refused_count: Defaulted<number>;
  /** Reason of the last refusal; '' for none. */
  refused_reason: Defaulted<string>;
  refused_at: Timestamp | null;
}

/** Invitation emails within a day, by team and by a keyed hash of the address. */
interface InvitationCountsTable {
  key: string;
  since: Timestamp;
  sent: number;
}

/** Links that let whoever has them ask to join a team, stored as hashes. */
interface InvitationLinksTable {
  team_id: string;
  id: string;
  /** '' for none. */
  name: string;
  token_hash: string;
  created_by: string;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  max_uses: number;
  /** People who joined by it, also those who have left. */
  uses: Defaulted<number>;
  /** Email domains that it admits; all when empty. */
  domains: string[];
  /** The end date of those who join; null for none. */
  members_end_on: Day | null;
}

/** IP addresses that a person signed in from: failed attempts from elsewhere do not lock these out. */
interface KnownAddressesTable {
  person_id: string;
  address: string;
  seen_at: Defaulted<Timestamp>;
}

/** Browsers that a person signed in with, by a hash of their cookie: limits and notices about new sign-ins leave them out. */
interface KnownDevicesTable {
  person_id: string;
  token_hash: string;
  seen_at: Defaulted<Timestamp>;
}

/** One-time links in emails, stored as hashes. */
interface LinksTable {
  token_hash: string;
  kind: 'reset' | 'invite' | 'email';
  /** The person, or the invitation. */
  person_id: string;
  /** Team of the invitation; null for a password reset. */
  team_id: string | null;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  /** When the link was first opened (`signup_check`); it can only be used after that. */
  checked_at: Timestamp | null;
  /** The new address of an email change; null for other links. */
  email: string | null;
  /** The end of a link: `used`, or `replaced` by a newer one. Null while it works or has expired. */
  ended: 'used' | 'replaced' | null;
}

/** Blobs that no row refers to; deleted after an hour. */
interface LooseBlobsTable {
  team_id: string;
  key: string;
  since: Defaulted<Timestamp>;
}

/** Delivery status of emails, without their text. Sent ones are kept for a week, failed ones for a month. */
interface MailsTable {
  id: string;
  /** Null if the email is not about a team. */
  team_id: string | null;
  person_id: string | null;
  /** Which email, such as `users.invitation`. */
  kind: string;
  recipient: string;
  state: Defaulted<'waiting' | 'sent' | 'failed'>;
  attempts: Defaulted<number>;
  /** Last SMTP response; '' for none. */
  error: Defaulted<string>;
  created_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
}

/** Counts of the members in each group of a team. Triggers add a row for each statement, and a job adds the rows up. */
interface MemberCountsTable {
  team_id: string;
  /** State and kind of the members counted, as the function `member_group` says. */
  member_group: number;
  id: number;
  count: number;
  /** True if the job wrote it. */
  is_sum: Defaulted<boolean>;
}

/** A person in a team, or an invitation to it. `name_key` and `search` copy values of `people`, so that listing needs one index. */
interface MembershipsTable {
  team_id: string;
  /** The person; of an invitation an id of its own, which no person has. */
  person_id: string;
  roles: ('team_user' | 'team_admin' | 'team_owner' | 'zendesk')[];
  name_key: string;
  search: string;
  deactivated: Defaulted<boolean>;
  /** When they joined, or were invited. */
  create_at: number;
  /** The invited address; null once the person accepted, as the two names are. */
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  invited_by: string | null;
  invited_at: number | null;
  /** The newest invitation email was not sent, because a limit was reached. */
  invitation_limited: Defaulted<boolean>;
  deactivated_at: number | null;
  /** To five minutes; null if never. */
  last_active_at: number | null;
  /** The link by which they joined or were invited; null for none. */
  invitation_link_id: string | null;
  /** The last day, in the team's time zone; null without an end. */
  ends_on: Day | null;
  /** The instant at which that day is over. */
  ends_at: Timestamp | null;
  /** Days before the end for which the newest email was sent; null for none. */
  end_notice: number | null;
  /** When a deactivation was lifted; null if none was since this column exists. */
  reactivated_at: number | null;
}

/** A message in a channel. */
interface MessagesTable {
  team_id: string;
  id: string;
  channel_id: string;
  channel_type: 'O' | 'P' | 'D';
  /** '' for a message that no person wrote. */
  user_id: Defaulted<string>;
  /** Id at the service that sent it; null for a message that was posted here. */
  external_id: string | null;
  text: string;
  /** Bytes of its text in UTF-8. */
  size: number;
  root_id: Defaulted<string>;
  file_ids: Defaulted<string[]>;
  props: Defaulted<JSONColumnType<Record<string, unknown>>>;
  create_at: number;
  update_at: number;
  /** 0, or when it was deleted. */
  delete_at: Defaulted<number>;
  /** Source of the token that sent it; null also for content from before sources. */
  source_id: string | null;
}

/** Emails of the same text to many people of a team, until a job has queued them. */
interface NoticesTable {
  team_id: string;
  id: string;
  kind: string;
  /** Subject and text, encrypted. */
  sealed: string;
  /** Ids of people; '' for one who was erased since. */
  recipients: string[];
  /** The number of them whose email is in the queue. */
  reached: Defaulted<number>;
  created_at: Defaulted<Timestamp>;
}

/** Passkeys of accounts. */
interface PasskeysTable {
  id: string;
  person_id: string;
  /** Id that the browser knows it by. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Signatures so far; 0 for passkeys that do not count. */
  counter: number;
  transports: Defaulted<string[]>;
  device_type: string;
  backed_up: boolean;
  name: string;
  created_at: Defaulted<Timestamp>;
  last_used_at: Timestamp | null;
}

/** An account, in any number of teams. */
interface PeopleTable {
  id: string;
  /** Lowercase and unique. */
  email: string;
  first_name: Defaulted<string>;
  last_name: Defaulted<string>;
  password_hash: string | null;
  apps: Defaulted<JSONColumnType<Record<string, boolean>>>;
  last_picture_update: Defaulted<number>;
  create_at: number;
  update_at: number;
  /** Emails that the person switched off, such as `retention`. */
  muted_emails: Defaulted<string[]>;
  /** The team whose identity provider created the account; null for every other one. */
  provisioned_by: string | null;
  /** Kinds of emails that are off at first and that the user switched on. */
  wanted_emails: Defaulted<string[]>;
}

/** The picture of a person, as it was encoded here; without a row, their initials are shown. */
interface PicturesTable {
  person_id: string;
  /** A WebP image of 256 pixels square. */
  content: Buffer;
}

interface PresenceTable {
  person_id: string;
  status: Defaulted<'online' | 'away' | 'dnd' | 'offline'>;
  manual: Defaulted<boolean>;
  last_activity_at: number;
}

/** Exports of the data of a person or of the items of a legal hold, kept for seven days. */
interface PrivacyExportsTable {
  /** '' for a person's own export, which has all of their teams. */
  team_id: Defaulted<string>;
  id: string;
  /** The person, or the hold. */
  person_id: string;
  /** The user who requested it. No one else can download it. */
  requested_by: string;
  state: Defaulted<'queued' | 'running' | 'done' | 'failed'>;
  /** The attempt that writes it. */
  holder: string | null;
  /** Keys of its pieces in the blob store, in order. */
  parts: Defaulted<string[]>;
  size: Defaulted<number>;
  created_at: Defaulted<Timestamp>;
  expires_at: Defaulted<Timestamp>;
  /** The kind of row that `person_id` is the id of. */
  about: Defaulted<'person' | 'hold'>;
  /** Digest of the file; empty until it is complete. */
  sha256: Defaulted<string>;
}

/** A note, task, meeting, call, recording, voicemail or communication. */
interface RecordsTable {
  team_id: string;
  kind: 'note' | 'task' | 'meeting' | 'meeting_recording' | 'call' | 'call_recording' | 'voicemail' | 'communication';
  id: string;
  external_id: string | null;
  user_id: Defaulted<string>;
  title: Defaulted<string>;
  text: Defaulted<string>;
  name: Defaulted<string>;
  size: number;
  blob: string | null;
  digest: Defaulted<string>;
  /** When its retention period starts; null if it has not started, as for a note that is not archived. */
  clock: number | null;
  create_at: number;
  update_at: number;
  delete_at: Defaulted<number>;
  /** Marked for deletion: hidden while its blob, and then its row, are deleted. */
  doomed: Defaulted<boolean>;
  /** Source of the token that sent it; null also for content from before sources. */
  source_id: string | null;
}

/** Recovery codes that were not used, as hashes. */
interface RecoveryCodesTable {
  person_id: string;
  code_hash: string;
}

/** An object in the blob store with items that a run deleted. */
interface RetentionArchivesTable {
  team_id: string;
  run_id: string;
  number: number;
  /** Key of the object in the blob store. */
  blob: string;
  bytes: number;
  sha256: string;
  items: number;
  /** It has expired and is being destroyed: it can no longer be restored. */
  destroying: Defaulted<boolean>;
  /** Size of its items with the contents of their files; null if an earlier version wrote it. */
  item_bytes: number | null;
}

/** The last night whose runs were started, as a date in the time zone of the team. */
interface RetentionNightsTable {
  team_id: string;
  night: string;
}

/** The retention rule of a team for a kind of content. */
interface RetentionPoliciesTable {
  team_id: string;
  kind: string;
  rule: JSONColumnType<Record<string, unknown>>;
  /** The scheduled rule, which replaces `rule` at `effective_at`. */
  waiting: JSONColumnType<Record<string, unknown>> | null;
  effective_at: Timestamp | null;
  /** True if owners were emailed that the first run is near. */
  reminded: Defaulted<boolean>;
  saved_by: string | null;
  saved_at: Defaulted<Timestamp>;
  /** When `rule` was saved; null if that is not known. */
  rule_saved_at: Timestamp | null;
}

/** The number of days for which deleted content of a team can be restored; without a row, 7. */
interface RetentionRecoveryTable {
  team_id: string;
  days: number;
  /** The lower number that replaces `days` at `effective_at`. */
  waiting_days: number | null;
  effective_at: Timestamp | null;
  saved_by: string | null;
  saved_at: Defaulted<Timestamp>;
}

/** One run over one kind of content of a team, and its progress. */
interface RetentionRunsTable {
  team_id: string;
  id: string;
  kind: string;
  origin: 'night' | 'person' | 'operator';
  started_by: string | null;
  started_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  /** The start of the age: `own`, the date of the item, or `marked`, its deletion by a user. */
  clock: 'own' | 'marked';
  cutoff: number;
  scanned: Defaulted<number>;
  deleted: Defaulted<number>;
  bytes: Defaulted<number>;
  failed: Defaulted<number>;
  state: 'running' | 'finished' | 'stopped' | 'refused' | 'failed';
  note: Defaulted<string>;
  /** Position of the last item processed, with `at_id`. */
  at_clock: Defaulted<number>;
  at_id: Defaulted<string>;
  /** The process that works on it. */
  holder: string | null;
  /** Last sign of life of that process. */
  beat_at: Defaulted<Timestamp>;
  /** Items that the rule reached and a legal hold kept. */
  held: Defaulted<number>;
  /** Days that what it deleted can be restored; 0 for none. */
  recoverable_days: Defaulted<number>;
  /** Key of its archive, encrypted; null without an archive, and once it is destroyed. */
  archive_key: string | null;
  /** Until when it can be restored; null while it runs, and without an archive. */
  recoverable_until: Timestamp | null;
  restore_state: Defaulted<'' | 'running' | 'finished' | 'failed'>;
  restore_note: Defaulted<string>;
  restored_at: Timestamp | null;
  /** Items that were restored. */
  restored: Defaulted<number>;
  /** Archived items that were not restored because they exist again. */
  skipped: Defaulted<number>;
  /** When the last object of its archive was destroyed. */
  destroyed_at: Timestamp | null;
  destroyed_objects: Defaulted<number>;
  destroyed_bytes: Defaulted<number>;
  /** 0 if an earlier version destroyed its archive. */
  destroyed_items: Defaulted<number>;
  /** Contents of files that were destroyed with its archive. */
  destroyed_files: Defaulted<number>;
  destroyed_item_bytes: Defaulted<number>;
}

/** Members of groups that an identity provider manages. */
interface ScimGroupMembersTable {
  team_id: string;
  group_id: string;
  user_id: string;
}

/** Groups that an identity provider manages in a team. Names may repeat. */
interface ScimGroupsTable {
  team_id: string;
  id: string;
  display_name: string;
  external_id: string | null;
  /** Incremented by each change, for ETag. */
  version: Defaulted<number>;
  created_at: Defaulted<Timestamp>;
  updated_at: Defaulted<Timestamp>;
}

/** Calls of identity providers that changed something or were refused, kept for 30 days. */
interface ScimLogTable {
  team_id: string;
  id: string;
  at: Defaulted<Timestamp>;
  method: string;
  path: string;
  /** The body without passwords, cut. */
  request: string;
  status: number;
  /** The result, as a sentence. */
  effect: string;
  request_id: string;
}

/** Tokens that identity providers provision users of a team with, stored as hashes. */
interface ScimTokensTable {
  team_id: string;
  id: string;
  name: string;
  token_hash: string;
  created_by: string;
  created_at: Defaulted<Timestamp>;
  last_used_at: Timestamp | null;
  /** When its creator was no longer an owner: a trigger sets it. */
  stopped_at: Timestamp | null;
}

/** Attributes that an identity provider sent about a member of a team, or about someone who is not a member while inactive. */
interface ScimUsersTable {
  team_id: string;
  /** The id that the identity provider knows: the first id of the membership, or one of its own. */
  id: string;
  /** The membership; null for an inactive user who has none. */
  person_id: string | null;
  /** Null until the identity provider sets one: then it is the address. */
  user_name: string | null;
  external_id: string | null;
  given_name: string | null;
  family_name: string | null;
  display_name: string | null;
  /** As sent; null for the address of the membership. */
  emails: JSONColumnType<{ value: string; type?: string; primary?: boolean; display?: string }[]> | null;
  /** Their values in lowercase, the one that counts first. */
  addresses: Defaulted<string[]>;
  /** The deactivated_at of the membership that the identity provider caused. */
  suspended_at: number | null;
  created_at: Defaulted<Timestamp>;
  updated_at: Defaulted<Timestamp>;
}

/** Tokens that services import content with, stored as hashes. */
interface ServiceTokensTable {
  team_id: string;
  id: string;
  name: string;
  token_hash: string;
  /** Null if it was created on the command line in a team without an owner. */
  created_by: string | null;
  created_at: Defaulted<Timestamp>;
  last_used_at: Timestamp | null;
  kinds: string[];
  speak_for_users: Defaulted<boolean>;
  expires_at: Timestamp;
  /** Tokens of one source may change the same items. */
  source_id: string;
  /** When its creator lost the right to create tokens. It stays so that it can be replaced. */
  stopped_at: Timestamp | null;
  /** True if the email about its expiry was sent, or is not needed. */
  expiry_notified: Defaulted<boolean>;
  /** False until owners were notified of the rights that a migration gave it. */
  owners_notified: Defaulted<boolean>;
}

/** A signed-in session. The token in the cookie is stored as a hash. */
interface SessionsTable {
  id: string;
  person_id: string;
  token_hash: string;
  device_id: Defaulted<string>;
  user_agent: Defaulted<string>;
  address: Defaulted<string>;
  created_at: Defaulted<Timestamp>;
  /** Last request by the user; polling does not count. */
  active_at: Defaulted<Timestamp>;
  known_device: string | null;
  method: Defaulted<'password' | 'passkey' | 'sso'>;
  /** The only team that the session opens; null for all teams of the person. */
  team_id: string | null;
  /** The connection to an identity provider that it began with. */
  connection_id: string | null;
  /** The provider's id of its session, for its logout. */
  idp_sid: string | null;
  /** When the person last proved who they are. */
  auth_at: Defaulted<Timestamp>;
  /** When they last did so with a second factor or a passkey; null for never. */
  mfa_at: Timestamp | null;
  /** Longest time between two requests since auth_at. */
  longest_idle_seconds: Defaulted<number>;
}

/** The link that creates the first team: one row at most, printed by the newest start. */
interface SetUpLinksTable {
  id: Defaulted<number>;
  token_hash: string;
  expires_at: Timestamp;
}

/** Attempts to sign in, with a row for each team of the person; 90 days. */
interface SignInsTable {
  team_id: string;
  id: string;
  person_id: string;
  at: Defaulted<Timestamp>;
  outcome: 'ok' | 'bad_password' | 'throttled' | 'second_factor' | 'deactivated' | 'sso_refused';
  method: 'password' | 'passkey' | 'sso';
  address: string;
  device: string;
  request_id: string;
}

/** Sessions that a team has ended for itself only, because their account has other teams; until a new proof of identity. */
interface SignedOutSessionsTable {
  team_id: string;
  session_id: string;
}

/** A request for a new team. Each has its own link, so that a later request cannot change what an earlier link confirms. */
interface SignupsTable {
  token_hash: string;
  owner_email: string;
  team_name: string;
  invitees: string[];
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  /** When the link was first opened (`signup_check`); it can only be used after that. */
  checked_at: Timestamp | null;
  /** When it was completed, or canceled because another request for the same team was completed. */
  used_at: Timestamp | null;
  /** The team it created. If `used_at` is null, a sign-in created it and the link still works. */
  team_id: string | null;
  /** When the link was first opened for an owner with an account. Their next sign-in until `expires_at` creates the team. */
  confirmed_at: Timestamp | null;
  /** That of the team to be created. */
  time_zone: Defaulted<string>;
}

/** The identity provider of a team, by OpenID Connect. */
interface SsoConnectionsTable {
  team_id: string;
  /** Another one when the issuer changes. */
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  /** Encrypted; null until it was entered. */
  client_secret: string | null;
  enabled: Defaulted<boolean>;
  required: Defaulted<boolean>;
  /** True if people with an address of a proved domain join when they first sign in. */
  jit: Defaulted<boolean>;
  default_role: Defaulted<'team_user' | 'team_admin'>;
  /** Claim that lists groups; '' for none. */
  group_claim: Defaulted<string>;
  group_roles: Defaulted<JSONColumnType<Record<string, 'team_admin' | 'team_user'>>>;
  /** When an owner signed in with these settings; null when they changed since. */
  tested_at: Timestamp | null;
  created_at: Defaulted<Timestamp>;
}

/** Domains of email addresses that a team says are its own. */
interface SsoDomainsTable {
  team_id: string;
  id: string;
  domain: string;
  /** The DNS record of the domain must contain this. */
  token: string;
  created_at: Defaulted<Timestamp>;
  /** When the record was found. One team at most has proved a domain. */
  verified_at: Timestamp | null;
  /** Since when the daily check finds a proved domain without its record. */
  missing_since: Timestamp | null;
}

/** Links a user of an identity provider to a user in the team of its connection. */
interface SsoIdentitiesTable {
  team_id: string;
  /** The person, or the invitation that they have yet to accept. */
  person_id: string;
  connection_id: string;
  issuer: string;
  /** The provider's id of its user. */
  subject: string;
  /** As the provider last sent it. */
  email: string;
  linked_at: Defaulted<Timestamp>;
  used_at: Timestamp | null;
}

/** Ids of logout tokens that were received, so that none works twice. */
interface SsoLogoutsTable {
  connection_id: string;
  jti_hash: string;
  expires_at: Timestamp;
}

/** Sign-ins that have begun at an identity provider, for ten minutes. */
interface SsoTransactionsTable {
  /** Hash of the browser's cookie. */
  token_hash: string;
  connection_id: string;
  /** State, nonce and code verifier, encrypted; once the user has arrived, the claims. */
  sealed: string;
  return_path: string;
  /** The session of the browser when it began. The sign-in ends with it. */
  session_id: string | null;
  is_reauth: boolean;
  /** The number of restarts because the provider changed its keys. */
  restarts: Defaulted<number>;
  expires_at: Timestamp;
  /** The user is back from the provider, and a request with the cookies of this site finishes. */
  has_arrived: Defaulted<boolean>;
}

/** Requirements of a team for the sessions that open it. A team without requirements has no row. */
interface TeamSecurityTable {
  team_id: string;
  require_mfa: Defaulted<'none' | 'admins' | 'everyone'>;
  /** Null for the server's limit. */
  idle_minutes: number | null;
  /** Null for the server's limit. */
  session_hours: number | null;
  /** Networks in CIDR notation that the portal may be opened from; empty for all. */
  networks: Defaulted<string[]>;
  /** The connection that everyone has to sign in with; null for none. */
  required_connection_id: string | null;
}

interface TeamsTable {
  id: string;
  display_name: string;
  /** Decides when a day starts and ends for retention. */
  time_zone: Defaulted<string>;
  create_at: number;
  admins_may_create_tokens: Defaulted<boolean>;
  /** The Monday of the newest weekly email about memberships that end; null for none. */
  end_list_on: Day | null;
  monthly_email_on: Day | null;
}

/** Counters of attempts. `expire` is in milliseconds of the database clock. */
interface ThrottlesTable {
  key: string;
  points: Defaulted<number>;
  expire: number | null;
}

/** Authenticator apps of accounts. */
interface TotpFactorsTable {
  person_id: string;
  /** Encrypted. */
  secret: string;
  created_at: Defaulted<Timestamp>;
  /** When its first code was received; null until then, and it does not count. */
  confirmed_at: Timestamp | null;
  /** Time step of the last code that was used: codes of earlier steps are refused. */
  last_step: Defaulted<number>;
  /** The session that sets it up, and alone may confirm it. */
  session_id: string | null;
}

/** Challenges that a passkey signed, as hashes, until they have expired. */
interface UsedChallengesTable {
  challenge_hash: string;
  used_at: Defaulted<Timestamp>;
}

/** Changes to many users, made batch by batch in the background; kept for 30 days. */
interface UserJobsTable {
  team_id: string;
  id: string;
  action: string;
  started_by: string;
  user_ids: string[] | null;
  /** Filters of the user list, whose users it is for; null for a job with ids. */
  filter: JSONColumnType<Record<string, unknown>> | null;
  /** Users who were invited or joined later are left out; milliseconds. */
  joined_until: number;
  state: Defaulted<'queued' | 'running' | 'done' | 'failed'>;
  /** Id of the error that stopped it. */
  error: string | null;
  total: number;
  /** Users changed so far. */
  done: Defaulted<number>;
  /** Number of skipped users by reason. */
  skipped: Defaulted<JSONColumnType<Record<string, number>>>;
  /** The first users that could not be changed, each with an error id. */
  failed: Defaulted<JSONColumnType<{ user_id: string; error: string }[]>>;
  /** Id of the last user processed; the next batch starts after it. */
  reached: Defaulted<string>;
  started_at: Defaulted<Timestamp>;
  /** When the last batch ended. */
  touched_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  /** The end date that the job sets; null for other actions. */
  ends_on: Day | null;
}

/** All tables, for Kysely. */
export interface Tables {
  activity_sources: ActivitySourcesTable;
  archived_blobs: ArchivedBlobsTable;
  audit_chain: AuditChainTable;
  audit_events: AuditEventsTable;
  audit_heads: AuditHeadsTable;
  audit_keys: AuditKeysTable;
  audit_pending: AuditPendingTable;
  audit_server_head: AuditServerHeadTable;
  audit_sink: AuditSinkTable;
  backdated_items: BackdatedItemsTable;
  barred_addresses: BarredAddressesTable;
  break_glass_owners: BreakGlassOwnersTable;
  channel_joins: ChannelJoinsTable;
  channel_members: ChannelMembersTable;
  channels: ChannelsTable;
  compliance_access: ComplianceAccessTable;
  connected_channels: ConnectedChannelsTable;
  connected_links: ConnectedLinksTable;
  connected_lists: ConnectedListsTable;
  connected_messages: ConnectedMessagesTable;
  connected_order_rows: ConnectedOrderRowsTable;
  connected_orders: ConnectedOrdersTable;
  connected_permits: ConnectedPermitsTable;
  connected_rules: ConnectedRulesTable;
  connected_servers: ConnectedServersTable;
  connected_teams: ConnectedTeamsTable;
  connected_users: ConnectedUsersTable;
  connected_work: ConnectedWorkTable;
  default_channels: DefaultChannelsTable;
  deliveries: DeliveriesTable;
  delivery_channels: DeliveryChannelsTable;
  directory_entries: DirectoryEntriesTable;
  directory_import_changes: DirectoryImportChangesTable;
  directory_imports: DirectoryImportsTable;
  erasures: ErasuresTable;
  files: FilesTable;
  former_members: FormerMembersTable;
  group_channels: GroupChannelsTable;
  hold_channels: HoldChannelsTable;
  hold_connected_channels: HoldConnectedChannelsTable;
  hold_connected_users: HoldConnectedUsersTable;
  hold_direct_channels: HoldDirectChannelsTable;
  hold_items: HoldItemsTable;
  hold_people: HoldPeopleTable;
  holds: HoldsTable;
  idempotency_keys: IdempotencyKeysTable;
  inactivity_exceptions: InactivityExceptionsTable;
  inactivity_nights: InactivityNightsTable;
  inactivity_rules: InactivityRulesTable;
  inactivity_warnings: InactivityWarningsTable;
  integration_channels: IntegrationChannelsTable;
  integrations: IntegrationsTable;
  invitation_counts: InvitationCountsTable;
  invitation_links: InvitationLinksTable;
  known_addresses: KnownAddressesTable;
  known_devices: KnownDevicesTable;
  links: LinksTable;
  loose_blobs: LooseBlobsTable;
  mails: MailsTable;
  member_counts: MemberCountsTable;
  memberships: MembershipsTable;
  messages: MessagesTable;
  notices: NoticesTable;
  passkeys: PasskeysTable;
  people: PeopleTable;
  pictures: PicturesTable;
  presence: PresenceTable;
  privacy_exports: PrivacyExportsTable;
  records: RecordsTable;
  recovery_codes: RecoveryCodesTable;
  retention_archives: RetentionArchivesTable;
  retention_nights: RetentionNightsTable;
  retention_policies: RetentionPoliciesTable;
  retention_recovery: RetentionRecoveryTable;
  retention_runs: RetentionRunsTable;
  scim_group_members: ScimGroupMembersTable;
  scim_groups: ScimGroupsTable;
  scim_log: ScimLogTable;
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  service_tokens: ServiceTokensTable;
  sessions: SessionsTable;
  set_up_links: SetUpLinksTable;
  sign_ins: SignInsTable;
  signed_out_sessions: SignedOutSessionsTable;
  signups: SignupsTable;
  sso_connections: SsoConnectionsTable;
  sso_domains: SsoDomainsTable;
  sso_identities: SsoIdentitiesTable;
  sso_logouts: SsoLogoutsTable;
  sso_transactions: SsoTransactionsTable;
  team_security: TeamSecurityTable;
  teams: TeamsTable;
  throttles: ThrottlesTable;
  totp_factors: TotpFactorsTable;
  used_challenges: UsedChallengesTable;
  user_jobs: UserJobsTable;
}
