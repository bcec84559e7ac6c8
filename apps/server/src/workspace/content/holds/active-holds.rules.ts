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
  /** Of connected servers, as `<connection id>/<external id>`. */
  connected_user_ids: readonly string[];
  connected_channel_ids: readonly string[];
  settings: readonly RetentionKind[];
  from: number | null;
  to: number | null;
}

/** Users here and at connected servers are one list: only if both are empty, it covers everyone. */
export function getPeople({ user_ids, connected_user_ids }: HoldScope): string[] {
  return [...user_ids, ...connected_user_ids];
}

export function getChannels({ channel_ids, connected_channel_ids }: HoldScope): string[] {
  return [...channel_ids, ...connected_channel_ids];
}
