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
  /** Holds in effect on the kind: the items that they cover are kept. */
  holds: readonly ActiveHold[];
}

/** Cutoffs of a kind in milliseconds, by the date that a rule counts from; 0 where no rule deletes. */
export type KindCutoffs = Readonly<Record<RetentionClock, number>>;

export type MessageCutoffs = Readonly<Record<ChannelType, KindCutoffs>>;

export interface BackdatedRecord {
  kind: string;
  external_id: string;
  cutoff: number;
}

/** `oldest` and `newest` are dates; null when no item is expired. */
export interface ExpiredCount {
  count: number;
  bytes: number;
  /** Items that only holds keep. */
  held: HeldCount;
  oldest: number | null;
  newest: number | null;
}

export interface StoredCount {
  count: number;
  bytes: number;
  oldest: number | null;
}

export interface Cursor {
  clock: number;
  id: string;
}

export interface BatchRange {
  after: Cursor;
  limit: number;
}

/** Result of a batch; `last` is the position that it reached, null when nothing is left. */
export interface DeletedBatch {
  count: number;
  bytes: number;
  held: number;
  last: Cursor | null;
}

/** An item marked for deletion is hidden already, but its blob still has to be deleted. */
export interface MarkedItem extends Cursor {
  blob: string | null;
  size: number;
}

/** Result of a batch that marks items; `last` is null when nothing is left. */
export interface MarkedBatch {
  items: MarkedItem[];
  held: number;
  last: Cursor | null;
}

export interface LeftoverItem extends MarkedItem {
  /** A hold covers it by now. */
  is_held: boolean;
}

/** `free` is the first of some nights in which the hold is over; their number if it lasts through all of them. */
export interface NightHold {
  hold: ActiveHold;
  free: number;
}

/** Cutoffs of a kind by night and clock, 0 where no rule counts from it. */
export interface NightCutoffs {
  teamId: string;
  own: readonly number[];
  marked: readonly number[];
  /** Items whose date was moved back after this moment are kept in that night. */
  keptSince: readonly number[];
  holds: readonly NightHold[];
}
