import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind, RetentionRule, SavedRule } from '@steward/contract/retention/fields';
import { isMarkable, isStricter, readRule } from './retention.rules.ts';

/** What is stored for a kind of a team, as it was written. */
export interface StoredPolicy {
  rule: unknown;
  /** The rule that takes its place at `effective_at`, in milliseconds. */
  waiting: unknown;
  effective_at: number | null;
}

/** What rules at a moment, and what waits. */
export interface Policy {
  /** Null when what is stored cannot be read: then nothing is deleted. */
  ruling: RetentionRule | null;
  waiting: { rule: RetentionRule; effectiveAt: number } | null;
}

/** What rules where nobody ever saved a rule: everything is kept. */
function keepEverything(kind: RetentionKind): RetentionRule {
  return isMarkable(kind) ? { value: 0, canmark: 0 } : { value: 0 };
}

/** The policy at a moment: a rule that has waited long enough rules. */
export function resolvePolicy(kind: RetentionKind, stored: StoredPolicy | undefined, now: number): Policy {
  if (stored === undefined) return { ruling: keepEverything(kind), waiting: null };
  const { rule, waiting, effective_at } = stored;
  if (waiting === null || effective_at === null) return { ruling: readRule(kind, rule), waiting: null };
  const next = readRule(kind, waiting);
  if (effective_at <= now) return { ruling: next, waiting: null };
  return { ruling: readRule(kind, rule), waiting: next && { rule: next, effectiveAt: effective_at } };
}

/**
 * The policy after a save. What deletes more than what rules waits for 24 hours, all else rules at once and ends any wait; the
 * waiting rule saved once more goes on waiting (design §6).
 */
export function applyRule({ ruling, waiting }: Policy, rule: RetentionRule, now: number): Policy {
  if (!isStricter(rule, ruling)) return { ruling: rule, waiting: null };
  if (waiting && isSameRule(waiting.rule, rule)) return { ruling, waiting };
  return { ruling, waiting: { rule, effectiveAt: now + RETENTION_WAIT_MS } };
}

/** Whether two rules say the same, word for word. */
export function isSameRule(one: RetentionRule | null, other: RetentionRule | null): boolean {
  const words = (rule: RetentionRule | null) =>
    rule && [rule.value, rule.canmark ?? 0, rule.duration?.count ?? 0, rule.duration?.period ?? ''].join();
  return words(one) === words(other);
}

/** The policy as it is answered: the saved rule and, beside it, what rules until it begins. */
export function toSavedRule(kind: RetentionKind, { ruling, waiting }: Policy): SavedRule {
  if (waiting) return { ...waiting.rule, effective_at: waiting.effectiveAt, in_force: ruling ?? keepEverything(kind) };
  return ruling ?? { ...keepEverything(kind), unreadable: true };
}
