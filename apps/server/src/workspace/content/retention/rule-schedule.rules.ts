import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind, RetentionRule, SavedRule } from '@steward/contract/retention/fields';
import { isMarkable, isSameRule, isStricter, readRule } from '@steward/contract/retention/rules';
import type { ActiveHold } from '../holds/active-holds.rules.ts';

/** The row of a kind as it is stored, not validated. */
export interface StoredRule {
  rule: unknown;
  /** Replaces `rule` at `effective_at` (milliseconds). */
  waiting: unknown;
  effective_at: number | null;
  /** Time at which `rule` was saved, in milliseconds; null if it is unknown. */
  rule_saved_at: number | null;
}

export interface RuleState {
  /** Null when the stored rule can't be read: then nothing is deleted. */
  current: RetentionRule | null;
  /** A stricter rule takes effect later. */
  scheduled: { rule: RetentionRule; effectiveAt: number } | null;
}

/** The rules of a team at a moment of the database's clock, in milliseconds. */
export interface TeamRules {
  timeZone: string;
  now: number;
  byKind: Readonly<Record<RetentionKind, RuleState>>;
  /** Time at which each current rule was saved; 0 if it is unknown. */
  savedAt: Readonly<Record<RetentionKind, number>>;
  holds: readonly ActiveHold[];
}

/** The rule of a kind that was never saved. */
function keepForever(kind: RetentionKind): RetentionRule {
  return isMarkable(kind) ? { value: 0, canmark: 0 } : { value: 0 };
}

/** The state at a moment: from its time on, the scheduled rule is the current one. */
export function resolveRule(kind: RetentionKind, stored: StoredRule | undefined, now: number): RuleState {
  if (stored === undefined) return { current: keepForever(kind), scheduled: null };
  const { rule, waiting, effective_at } = stored;
  if (waiting === null || effective_at === null) return { current: readRule(kind, rule), scheduled: null };
  const next = readRule(kind, waiting);
  if (effective_at <= now) return { current: next, scheduled: null };
  return { current: readRule(kind, rule), scheduled: next && { rule: next, effectiveAt: effective_at } };
}

/** In milliseconds; 0 if it is unknown. */
export function getSavedAt(stored: StoredRule | undefined, now: number): number {
  if (stored === undefined) return 0;
  const { effective_at, rule_saved_at } = stored;
  return effective_at !== null && effective_at <= now ? effective_at - RETENTION_WAIT_MS : (rule_saved_at ?? 0);
}

/**
 * The state after a save. A stricter rule is scheduled 24 hours ahead; any other takes effect immediately and cancels a
 * scheduled one. Saving the scheduled rule again keeps its time.
 */
export function applyRule({ current, scheduled }: RuleState, rule: RetentionRule, now: number): RuleState {
  if (!isStricter(rule, current)) return { current: rule, scheduled: null };
  if (scheduled && isSameRule(scheduled.rule, rule)) return { current, scheduled };
  return { current, scheduled: { rule, effectiveAt: now + RETENTION_WAIT_MS } };
}

/** True if a save would change nothing: same rules, same time. */
export function isSameState(one: RuleState, other: RuleState): boolean {
  return (
    isSameRule(one.current, other.current) &&
    isSameRule(one.scheduled?.rule ?? null, other.scheduled?.rule ?? null) &&
    one.scheduled?.effectiveAt === other.scheduled?.effectiveAt
  );
}

/** The state as the API returns it: the saved rule and, until it takes effect, the current one. */
export function toSavedRule(kind: RetentionKind, { current, scheduled }: RuleState): SavedRule {
  if (scheduled)
    return { ...scheduled.rule, effective_at: scheduled.effectiveAt, in_force: current ?? keepForever(kind) };
  return current ?? { ...keepForever(kind), unreadable: true };
}
