import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';

export interface ItemSource {
  teamId: string;
  sourceId: string;
}

export interface ItemWriter extends ItemSource {
  /** Items name the user they are from; if not, the author isn't compared with that of the stored item. */
  speaksForUsers: boolean;
}

export interface IncomingMessage {
  external_id: string;
  channel_id: string;
  channel_type: ChannelType;
  user_id: string;
  text: string;
  size: number;
  create_at: number;
  /** 0, or the time when it was marked deleted. */
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
  /** 0, or the time when it was marked deleted. */
  delete_at: number;
}

export interface IncomingFile extends Incoming {
  /** '' outside any channel. */
  channel_id: string;
}

export interface IncomingRecord extends Incoming {
  kind: RecordKind;
  title: string;
  text: string;
  /** The date that its retention rule counts from; null while it has none. */
  clock: number | null;
}

/** `doomed`: the item is being deleted. `again`: another write interfered, so it must be retried. */
export type Outcome = 'accepted' | 'unchanged' | 'doomed' | 'again';

export interface IngestResult {
  id: string;
  outcome: Outcome;
  /** The new blob that a row now references. */
  taken: string | null;
  /** The blob that no row references any longer. */
  freed: string | null;
}
