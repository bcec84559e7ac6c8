import type { ChannelType } from '@steward/contract/channels';
import type { HeldCount } from '@steward/contract/retention/fields';
import type { RetentionClock } from '@steward/contract/retention/rules';
import type { ActiveHold } from './holds/active-holds.rules.ts';

/** Items of a team whose date is strictly before the cutoff (milliseconds). */
export interface RetentionScope {
  teamId: string;
  clock: RetentionClock;
  cutoff: number;
  /** Items whose date a service moved back after this moment are kept, in milliseconds. */
  keptSince: number;
  /** Holds in effect on the kind: what they cover is kept. */
  holds: readonly ActiveHold[];
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
  /** What would be expired but for holds. */
  held: HeldCount;
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

/** What a batch deleted and what holds kept, and the position it reached; `last` is null when nothing is left. */
export interface DeletedBatch {
  count: number;
  bytes: number;
  held: number;
  last: Cursor | null;
}

/** An item marked for deletion: hidden already, its blob still to be deleted. */
export interface MarkedItem extends Cursor {
  blob: string | null;
  size: number;
}

/** What a batch marked for deletion and what holds kept; `last` is null when nothing is left. */
export interface MarkedBatch {
  items: MarkedItem[];
  held: number;
  last: Cursor | null;
}

/** An item that an interrupted run left marked. */
export interface LeftoverItem extends MarkedItem {
  /** Whether a hold covers it by now. */
  is_held: boolean;
}

/** A hold, and the first of some nights in which it is over; their number if it lasts through all of them. */
export interface NightHold {
  hold: ActiveHold;
  free: number;
}

/** What the rules of a kind delete in each of some nights: cutoffs by clock, 0 where no rule counts from it. */
export interface NightCutoffs {
  teamId: string;
  own: readonly number[];
  marked: readonly number[];
  /** Items whose date was moved back after this moment are kept in that night. */
  keptSince: readonly number[];
  holds: readonly NightHold[];
}
