import { RECOVERABLE_DAYS, RETENTION_WAIT_MS } from '@steward/contract/api/limits';

export interface StoredRecovery {
  days: number;
  waiting_days: number | null;
  effective_at: number | null;
}

/** Days for which deleted content can be restored. */
export interface RecoveryState {
  current: number;
  /** A lower number takes effect later. */
  scheduled: { days: number; effectiveAt: number } | null;
}

/** The state at a moment: from its time on, the scheduled number is the current one. */
export function resolveRecovery(stored: StoredRecovery | undefined, now: number): RecoveryState {
  if (stored === undefined) return { current: RECOVERABLE_DAYS, scheduled: null };
  const { days, waiting_days, effective_at } = stored;
  if (waiting_days === null || effective_at === null) return { current: days, scheduled: null };
  if (effective_at <= now) return { current: waiting_days, scheduled: null };
  return { current: days, scheduled: { days: waiting_days, effectiveAt: effective_at } };
}

/**
 * The state after a save. A lower number waits 24 hours; any other takes effect immediately and cancels a scheduled
 * one.
 */
export function applyRecovery({ current, scheduled }: RecoveryState, days: number, now: number): RecoveryState {
  if (days >= current) return { current: days, scheduled: null };
  if (scheduled?.days === days) return { current, scheduled };
  return { current, scheduled: { days, effectiveAt: now + RETENTION_WAIT_MS } };
}
