import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';

/** A message on its way in from a service; instants in milliseconds. */
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

/** A file or record on its way in, besides its own fields; instants in milliseconds. */
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

/** A file on its way in from a service. */
export interface IncomingFile extends Incoming {
  /** '' outside any channel. */
  channel_id: string;
}

/** A record on its way in from a service. */
export interface IncomingRecord extends Incoming {
  kind: RecordKind;
  title: string;
  text: string;
  /** What its rule goes by; null while nothing counts. */
  clock: number | null;
}

/** What became of it. MarkedItem: it is being deleted. Again: somebody came between, it must be tried once more. */
export type Outcome = 'accepted' | 'unchanged' | 'doomed' | 'again';

/** An item that was tried, in the order of the list. */
export interface IngestResult {
  outcome: Outcome;
  /** The new blob that a row holds now. */
  taken: string | null;
  /** The blob that no row holds any more. */
  freed: string | null;
}
