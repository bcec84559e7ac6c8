import type { Generated, JSONColumnType } from 'kysely';
import type { Instant } from './column-types.ts';

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

/** Channels that new people of a team join; `general` is one of them without a row. */
export interface DefaultChannelsTable {
  team_id: string;
  channel_id: string;
  /** Last display name known, for when the channel is gone. */
  channel_name: string;
}

/** The people of a team being added to default channels, batch by batch. */
export interface ChannelJoinsTable {
  team_id: string;
  id: string;
  channel_ids: string[];
  started_by: string | null;
  started_at: Instant;
  ended_at: Instant | null;
  people_total: number;
  people_done: number;
  joined: number;
  /** Id of the last person who was looked at; the next batch begins behind it. */
  reached: string;
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
export interface UnreferencedBlobsTable {
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
