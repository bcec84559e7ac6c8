import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** Instants the database fills or reads itself; never on the wire. */
type Instant = ColumnType<Date, Date | string | undefined, Date | string>;

/** A column that PostgreSQL computes. */
type Computed<T> = ColumnType<T, never, never>;

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

/** Counters of rate-limiter-flexible, in the shape it expects. */
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
  /** When the last chunk came. */
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

/** A channel of a team: O public, P private, D direct (design §3). Its type never changes. */
export interface ChannelsTable {
  team_id: string;
  id: string;
  type: 'O' | 'P' | 'D';
  /** Unique in the team: `general`, `design-reviews`. */
  name: string;
  display_name: string;
  header: string;
  purpose: string;
  creator_id: string;
  create_at: number;
  update_at: number;
  /** 0, or when it was archived. */
  delete_at: number;
  last_post_at: number;
}

/** Who belongs to a channel. */
export interface ChannelMembersTable {
  team_id: string;
  channel_id: string;
  person_id: string;
  create_at: number;
}

/** A message in a channel. `size` is its text in bytes of UTF-8; with `delete_at` it is shown to nobody any more. */
export interface MessagesTable {
  team_id: string;
  id: string;
  channel_id: string;
  channel_type: 'O' | 'P' | 'D';
  /** '' when no person wrote it. */
  user_id: string;
  /** Id at the service that fed it; null for a post written here. */
  external_id: string | null;
  text: string;
  size: number;
  root_id: string;
  file_ids: Generated<string[]>;
  props: JSONColumnType<Record<string, unknown>>;
  create_at: number;
  update_at: number;
  /** 0, or when somebody marked it deleted. */
  delete_at: number;
}

/** A file of the workspace; its content lies under `blob`, unless the feeding service keeps it. */
export interface FilesTable {
  team_id: string;
  id: string;
  external_id: string | null;
  /** '' outside any channel. */
  channel_id: string;
  /** Message that has it; '' until one does. */
  post_id: Generated<string>;
  user_id: string;
  name: string;
  size: number;
  blob: string | null;
  /** SHA-256 of the blob: tells whether a repeated line brings another one. */
  digest: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  /** Its blob is being deleted, or was, and the row follows: shown to nobody. */
  doomed: boolean;
}

/** A note, task, meeting, call, recording, voicemail or communication. `clock` is what its rule goes by (design §6). */
export interface RecordsTable {
  team_id: string;
  kind: string;
  id: string;
  external_id: string | null;
  user_id: string;
  title: string;
  text: string;
  name: string;
  size: number;
  blob: string | null;
  digest: string;
  /** Null while nothing has begun to count: a note that is not archived, a task that is not completed. */
  clock: number | null;
  create_at: number;
  update_at: number;
  delete_at: number;
  doomed: boolean;
}

/** Blobs that no row holds, to be removed when they stay so. */
export interface LooseBlobsTable {
  key: string;
  team_id: string;
  since: Instant;
}

/** What a service feeds content with; the token is stored hashed (design §3). */
export interface ServiceTokensTable {
  team_id: string;
  id: string;
  name: string;
  token_hash: string;
  /** Null when the operator made it. */
  created_by: string | null;
  created_at: Instant;
  last_used_at: Instant | null;
}

/** The rule of a team for a kind. With `waiting`, that one takes its place at `effective_at` (design §6). */
export interface RetentionPoliciesTable {
  team_id: string;
  kind: string;
  rule: JSONColumnType<Record<string, unknown>>;
  waiting: JSONColumnType<Record<string, unknown>> | null;
  effective_at: Instant | null;
  /** Whether owners were told that the first run is near. */
  reminded: boolean;
  saved_by: string | null;
  saved_at: Instant;
}

/** One run over one kind of a team, and how far it is (design §6, §11). */
export interface RetentionRunsTable {
  team_id: string;
  id: string;
  kind: string;
  origin: 'night' | 'person' | 'operator';
  started_by: string | null;
  started_at: Instant;
  ended_at: Instant | null;
  /** Which clock it goes by: the item's own, or when it was marked deleted. */
  clock: 'own' | 'marked';
  cutoff: number;
  scanned: number;
  deleted: number;
  bytes: number;
  failed: number;
  state: 'running' | 'finished' | 'stopped' | 'refused' | 'failed';
  note: string;
  /** Clock and id of the last item it came to. */
  at_clock: number;
  at_id: string;
  /** Who works on it, and the last sign of it. */
  holder: string | null;
  beat_at: Instant;
}

/** The last night whose runs were begun, as a day of the team's calendar: 2026-03-29. */
export interface RetentionNightsTable {
  team_id: string;
  night: string;
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
  loose_blobs: LooseBlobsTable;
  service_tokens: ServiceTokensTable;
  retention_policies: RetentionPoliciesTable;
  retention_runs: RetentionRunsTable;
  retention_nights: RetentionNightsTable;
}
