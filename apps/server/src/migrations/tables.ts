import type { Generated, JSONColumnType } from 'kysely';
import type { Computed, Instant } from './column-types.ts';
import type {
  ChannelJoinsTable,
  ChannelMembersTable,
  ChannelsTable,
  DefaultChannelsTable,
  FilesTable,
  MessagesTable,
  RecordsTable,
  RetentionNightsTable,
  RetentionPoliciesTable,
  RetentionRunsTable,
  ServiceTokensTable,
  UnreferencedBlobsTable,
} from './tables-content.ts';
import type {
  DeliveriesTable,
  DeliveryChannelsTable,
  IntegrationChannelsTable,
  IntegrationsTable,
} from './tables-integrations.ts';

/** A person, wherever they belong (spec §3, user). `email` is lowercase and unique. */
export interface PeopleTable {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  /** 2 real account, 1 pending invitee. */
  type: number;
  password_hash: string | null;
  apps: JSONColumnType<Record<string, boolean>>;
  last_picture_update: number;
  create_at: number;
  update_at: number;
  /** 0, or the moment of deactivation. */
  delete_at: number;
}

/** A team (spec §3). `time_zone` decides what a day is for retention. */
export interface TeamsTable {
  id: string;
  display_name: string;
  time_zone: string;
  create_at: number;
}

/**
 * A person in a team. `name_key`, `search` and `deactivated` repeat what the person's row says, so that the list of a
 * team is one index scan; people.store.ts is the only writer of both (decision 0012).
 */
export interface MembershipsTable {
  team_id: string;
  person_id: string;
  roles: string[];
  name_key: string;
  search: string;
  deactivated: boolean;
  create_at: number;
}

/** A sign-in that lives. The cookie's token is stored as a hash. */
export interface SessionsTable {
  id: string;
  person_id: string;
  token_hash: string;
  device_id: string;
  user_agent: string;
  address: string;
  created_at: Instant;
  /** Last request that counts as use; the status poll does not. */
  active_at: Instant;
}

/** Address from which a person signed in before; guessing elsewhere does not lock it out (trust G6). */
export interface KnownAddressesTable {
  person_id: string;
  address: string;
  seen_at: Instant;
}

/** Presence of a person. */
export interface PresenceTable {
  person_id: string;
  status: 'online' | 'away' | 'dnd' | 'offline';
  manual: boolean;
  last_activity_at: number;
}

/** One-time links: `reset` and `invite`. Stored hashed, used once, expiring (trust G9). */
export interface LinksTable {
  token_hash: string;
  kind: 'reset' | 'invite';
  person_id: string;
  /** Team that invited; null for a reset. */
  team_id: string | null;
  created_at: Instant;
  expires_at: Instant;
  /** When it was first looked at by `signup_check`; only then can it be finished. */
  checked_at: Instant | null;
}

/** A request for a new team. Its link is of this row alone, so nobody changes what somebody else confirms. */
export interface SignupsTable {
  token_hash: string;
  owner_email: string;
  team_name: string;
  invitees: string[];
  created_at: Instant;
  expires_at: Instant;
  /** When it was first looked at by `signup_check`; only then can it be finished. */
  checked_at: Instant | null;
  /** When it was finished, or ended because another request for the same team was. */
  used_at: Instant | null;
  /** The team it made. With `used_at` null it was made by looking at the link, which may be looked at again. */
  team_id: string | null;
}

/** What became of a mail, without what it says. Sent ones are kept for a week, failed ones for a month. */
export interface MailsTable {
  id: string;
  /** Team and person it is about, where one is meant. */
  team_id: string | null;
  person_id: string | null;
  /** Which mail it is, such as `users.invitation`. */
  kind: string;
  recipient: string;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  /** What the mail server said at last; '' while nothing went wrong. */
  error: string;
  created_at: Instant;
  ended_at: Instant | null;
}

/** What was done, by whom, from where; rows are never changed (trust G17). `team_id` is '' where no team is meant. */
export interface AuditEventsTable {
  team_id: string;
  id: string;
  at: Instant;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: JSONColumnType<Record<string, unknown>>;
  address: string;
  request_id: string;
}

/** Answers of changing calls that a client may repeat, kept for 24 hours (trust §8 d). */
export interface IdempotencyKeysTable {
  person_id: string;
  key: string;
  request_hash: string;
  /** JSON as text, sealed: it may hold a secret that is shown once. */
  answer: string | null;
  created_at: Instant;
}

/** Counters of tries within a time; it ends at `expire`, in milliseconds by the database's clock. */
export interface ThrottlesTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

/**
 * An entry of the company directory. `name_key` and `search` are computed by PostgreSQL; `revision` grows with every change
 * and `import_id` names the import that created it, which is what undoing an import goes by (design §5).
 */
export interface DirectoryEntriesTable {
  team_id: string;
  id: string;
  name: string;
  phone_number: string;
  sms: string;
  email: string;
  /** Member of the team with this address when the entry was written; '' without one. */
  user_id: string;
  last_picture_update: number;
  revision: Generated<number>;
  import_id: string;
  name_key: Computed<string>;
  search: Computed<string>;
}

/** An upload of a file: who, when, how many rows did what, and how far undoing it is (design §5). */
export interface DirectoryImportsTable {
  team_id: string;
  id: string;
  file_name: string;
  state: 'running' | 'finished' | 'cancelled' | 'interrupted' | 'undoing' | 'undone';
  started_by: string;
  started_at: Instant;
  /** When the last chunk came, or the last batch of undoing it. */
  touched_at: Instant;
  ended_at: Instant | null;
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
  /** The created entries lie between these two ids; null while there are none. */
  first_id: string | null;
  last_id: string | null;
  removed: number;
  restored: number;
  kept: number;
  undone_by: string | null;
  undone_at: Instant | null;
}

/** What an entry was before an import changed it, and what undoing did with it; kept for 30 days. */
export interface DirectoryImportChangesTable {
  team_id: string;
  import_id: string;
  entry_id: string;
  /** The entry as it was; null where undoing kept an entry that the import had created. */
  before: JSONColumnType<Record<string, unknown>> | null;
  /** Revision that the import left the entry at. */
  revision: number;
  /** Null until it is undone. */
  outcome: 'restored' | 'edited' | 'deleted' | null;
}

/** All tables, as Kysely sees them; a test compares this list with the database. */
export interface Tables {
  people: PeopleTable;
  teams: TeamsTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  known_addresses: KnownAddressesTable;
  presence: PresenceTable;
  links: LinksTable;
  signups: SignupsTable;
  default_channels: DefaultChannelsTable;
  integrations: IntegrationsTable;
  integration_channels: IntegrationChannelsTable;
  deliveries: DeliveriesTable;
  delivery_channels: DeliveryChannelsTable;
  channel_joins: ChannelJoinsTable;
  mails: MailsTable;
  audit_events: AuditEventsTable;
  idempotency_keys: IdempotencyKeysTable;
  throttles: ThrottlesTable;
  directory_entries: DirectoryEntriesTable;
  directory_imports: DirectoryImportsTable;
  directory_import_changes: DirectoryImportChangesTable;
  channels: ChannelsTable;
  channel_members: ChannelMembersTable;
  messages: MessagesTable;
  files: FilesTable;
  records: RecordsTable;
  loose_blobs: UnreferencedBlobsTable;
  service_tokens: ServiceTokensTable;
  retention_policies: RetentionPoliciesTable;
  retention_runs: RetentionRunsTable;
  retention_nights: RetentionNightsTable;
}
