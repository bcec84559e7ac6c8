import { type Duration, KeepRule, MarkRule, type RetentionKind, type RetentionRule } from './fields.ts';

/** The date that a rule counts from: the item's own date, or when a user marked it deleted. */
export type RetentionClock = 'own' | 'marked';

/** A rule deletes items whose date is older than the duration. */
export interface Removal {
  clock: RetentionClock;
  duration: Duration;
}

/** Kinds whose items users can mark deleted, and when that choice is offered. */
const MARKING: Partial<Record<RetentionKind, 'always' | 'when kept forever'>> = {
  files: 'always',
  direct_messages: 'when kept forever',
};

export function isMarkable(kind: RetentionKind): boolean {
  return MARKING[kind] !== undefined;
}

/** True if a rule with this value can allow users to mark items of this kind deleted. */
export function offersMarking(kind: RetentionKind, value: RetentionRule['value']): boolean {
  return MARKING[kind] === 'always' || (isMarkable(kind) && value === 0);
}

/** The stored rule of a kind, or null when it is invalid: an invalid rule deletes nothing. */
export function readRule(kind: RetentionKind, stored: unknown): RetentionRule | null {
  const read = (isMarkable(kind) ? MarkRule : KeepRule).safeParse(stored);
  return read.success ? read.data : null;
}

/** Null if the rule keeps everything or can't be read. */
export function getRemoval(rule: RetentionRule | null): Removal | null {
  if (!rule?.duration) return null;
  if (rule.value === 1) return { clock: 'own', duration: rule.duration };
  return rule.canmark === 1 ? { clock: 'marked', duration: rule.duration } : null;
}

export function isSameRule(one: RetentionRule | null, other: RetentionRule | null): boolean {
  const key = (rule: RetentionRule | null) =>
    rule && [rule.value, rule.canmark ?? 0, rule.duration?.count ?? 0, rule.duration?.period ?? ''].join();
  return key(one) === key(other);
}

/** A rule is stricter if it may delete an item that the current rule would keep, on any day of the calendar. */
export function isStricter(rule: RetentionRule | null, current: RetentionRule | null): boolean {
  const removal = getRemoval(rule);
  if (removal === null) return false;
  const before = getRemoval(current);
  if (before === null) return true;
  // An item is marked after it was created, so counting from the mark can only delete it later.
  if (before.clock === 'marked' && removal.clock === 'own') return true;
  return !isAtLeastAsLong(removal.duration, before.duration);
}

/** The duration must not be shorter on any day that it is counted from. */
function isAtLeastAsLong(duration: Duration, other: Duration): boolean {
  if (duration.period === 'd' && other.period === 'd') return duration.count >= other.count;
  if (duration.period !== 'd' && other.period !== 'd') return toMonths(duration) >= toMonths(other);
  return toDayRange(duration).min >= toDayRange(other).max;
}

function toMonths({ count, period }: Duration): number {
  return period === 'y' ? count * 12 : count;
}

const CYCLE_MONTHS = 400 * 12;
const DAY_MS = 86_400_000;

/**
 * The days that a duration can span. Months differ in length, and the calendar repeats after 400 years. Clamping to the end
 * of a month needs no case of its own: counted back from March 31, a month spans as many days as from April 1.
 */
function toDayRange(duration: Duration): { min: number; max: number } {
  if (duration.period === 'd') return { min: duration.count, max: duration.count };
  const months = toMonths(duration);
  const firstDay = (month: number) => Date.UTC(2000, month, 1) / DAY_MS;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (let month = 0; month < CYCLE_MONTHS; month += 1) {
    const days = firstDay(month) - firstDay(month - months);
    min = Math.min(min, days);
    max = Math.max(max, days);
  }
  return { min, max };
}
