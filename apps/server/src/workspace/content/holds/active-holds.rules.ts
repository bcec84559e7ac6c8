import type { RetentionKind } from '@steward/contract/retention/fields';

/** A hold in effect, as far as the conditions of a statement need it; dates in milliseconds. */
export interface ActiveHold {
  id: string;
  /** Counts its changes. */
  version: number;
  /** The kinds that it covers; all when empty. */
  settings: readonly RetentionKind[];
  from_at: number | null;
  to_at: number | null;
  has_people: boolean;
  has_channels: boolean;
  has_items: boolean;
  /** When its release takes effect; null until it is released. */
  release_at: number | null;
}

export function holdsOn(kind: RetentionKind, holds: readonly ActiveHold[]): ActiveHold[] {
  return holds.filter(({ settings }) => settings.length === 0 || settings.includes(kind));
}

/** An empty list and null mean everything. */
export interface HoldScope {
  user_ids: readonly string[];
  channel_ids: readonly string[];
  settings: readonly RetentionKind[];
  from: number | null;
  to: number | null;
}
