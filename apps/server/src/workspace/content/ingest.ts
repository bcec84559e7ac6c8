import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';

/** The source that sends items, and its team. */
export interface ItemSource {
  teamId: string;
  sourceId: string;
}

/** A source with the rights of the token that it uses. */
export interface ItemWriter extends ItemSource {
  /** Whether items name the user they are from; if not, the author isn't compared with that of the stored item. */
  speaksForUsers: boolean;
}

/** A message sent by a service; instants in milliseconds. */
export interface IncomingMessage {
  external_id: string;
  channel_id: string;
  channel_type: ChannelType;
  user_id: string;
  text: string;
  size: number;
  create_at: number;
  /** 0, or when it was marked deleted. */
  delete_at: number;
}

/** The fields that files and records sent by a service share; instants in milliseconds. */
export interface Incoming {
  external_id: string;
  user_id: string;
  name: string;
  size: number;
  /** Key of a new blob; null when there is none, or when the stored one has this digest already. */
  blob: string | null;
  /** SHA-256 of its blob; '' without one. */
  digest: string;
  create_at: number;
  /** 0, or when it was marked deleted. */
  delete_at: number;
}

/** A file sent by a service. */
export interface IncomingFile extends Incoming {
  /** '' outside any channel. */
  channel_id: string;
}

/** A record sent by a service. */
export interface IncomingRecord extends Incoming {
  kind: RecordKind;
  title: string;
  text: string;
  /** The date that its retention rule counts from; null while it has none. */
  clock: number | null;
}

/** Result of importing an item. `doomed`: it is being deleted. `again`: another write interfered, so it must be retried. */
export type Outcome = 'accepted' | 'unchanged' | 'doomed' | 'again';

/** Result for one item, in the order of the list. */
export interface IngestResult {
  /** Id of the item. */
  id: string;
  outcome: Outcome;
  /** The new blob that a row now references. */
  taken: string | null;
  /** The blob that no row references any longer. */
  freed: string | null;
}
