import type { ChannelType } from '@steward/contract/channels';
import type { RetentionClock } from '@steward/contract/retention/rules';

/** Items of a team whose date is strictly before the cutoff (milliseconds). */
export interface RetentionScope {
  teamId: string;
  clock: RetentionClock;
  cutoff: number;
  /** Items whose date a service moved back after this moment are kept, in milliseconds. */
  keptSince: number;
}

/** Cutoffs of a kind in milliseconds, by the date that a rule counts from; 0 where no rule deletes. */
export type KindCutoffs = Readonly<Record<RetentionClock, number>>;

/** Cutoffs of messages by the type of their channel. */
export type MessageCutoffs = Readonly<Record<ChannelType, KindCutoffs>>;

/** A record that a batch is about to move below the cutoff of its kind. */
export interface BackdatedRecord {
  kind: string;
  external_id: string;
  cutoff: number;
}

/** How many items are expired, their bytes, and the dates of the oldest and the newest; null when there is none. */
export interface ExpiredCount {
  count: number;
  bytes: number;
  oldest: number | null;
  newest: number | null;
}

/** Everything stored of a kind, expired or not. */
export interface StoredCount {
  count: number;
  bytes: number;
  oldest: number | null;
}

/** Position in a list of items ordered by date and id. */
export interface Cursor {
  clock: number;
  id: string;
}

/** The next items after a position, up to a limit. */
export interface BatchRange {
  after: Cursor;
  limit: number;
}

/** What a batch deleted, and the position it reached; `last` is null when nothing is left. */
export interface DeletedBatch {
  count: number;
  bytes: number;
  last: Cursor | null;
}

/** An item marked for deletion: hidden already, its blob still to be deleted. */
export interface MarkedItem extends Cursor {
  blob: string | null;
  size: number;
}

/** What the rules of a kind delete in each of some nights: cutoffs by clock, 0 where no rule counts from it. */
export interface NightCutoffs {
  teamId: string;
  own: readonly number[];
  marked: readonly number[];
  /** Items whose date was moved back after this moment are kept in that night. */
  keptSince: readonly number[];
}
