import { RETENTION_HOUR } from '@steward/contract/api/limits';
import {
  type Duration,
  KeepRule,
  MarkRule,
  type RetentionKind,
  type RetentionRule,
} from '@steward/contract/retention/fields';
import { Temporal } from 'temporal-polyfill';
import type { RetentionClock } from '#workspace/content/expiry.ts';

/** What a rule removes: items by one of their clocks, the duration after it. */
export interface Removal {
  clock: RetentionClock;
  duration: Duration;
}

/** Kinds that people may mark as deleted themselves (spec §3). */
export function isMarkable(kind: RetentionKind): boolean {
  return kind === 'files' || kind === 'direct_messages';
}

/** The rule of a kind as it was stored, or null when it is none: whatever cannot be read deletes nothing (design §6). */
export function readRule(kind: RetentionKind, stored: unknown): RetentionRule | null {
  const read = (isMarkable(kind) ? MarkRule : KeepRule).safeParse(stored);
  return read.success ? read.data : null;
}

/** What a rule removes; null when it keeps everything, and when it cannot be read. */
export function toRemoval(rule: RetentionRule | null): Removal | null {
  if (!rule?.duration) return null;
  if (rule.value === 1) return { clock: 'own', duration: rule.duration };
  return rule.canmark === 1 ? { clock: 'marked', duration: rule.duration } : null;
}

const UNITS = new Map<unknown, 'days' | 'months' | 'years'>([
  ['d', 'days'],
  ['m', 'months'],
  ['y', 'years'],
]);

/**
 * The cutoff in milliseconds: calendar units back from the day of `moment` in the team's zone, clamped to the end of the
 * month, at the start of that day. An item goes when its clock lies before it, strictly. Null for a duration or a zone that
 * cannot be read (design §6).
 */
export function computeCutoff({ count, period }: Duration, moment: number, zone: string): number | null {
  if (!Number.isInteger(count) || count < 1 || count > 999) return null;
  const unit = UNITS.get(period);
  if (unit === undefined) return null;
  const today = toDay(moment, zone);
  return today === null ? null : getStartOfDay(today.subtract({ [unit]: count }), zone);
}

function toDay(moment: number, zone: string): Temporal.PlainDate | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate();
  } catch {
    return null;
  }
}

/** Where midnight does not exist, because clocks jump over it, the day begins at the first instant that does. */
function getStartOfDay(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds;
}

/** Whether the rule may remove anything that the other one would keep, on any day of the calendar (design §6). */
export function isStricter(rule: RetentionRule | null, ruling: RetentionRule | null): boolean {
  const removal = toRemoval(rule);
  if (removal === null) return false;
  const before = toRemoval(ruling);
  if (before === null) return true;
  // What was marked was there before it was marked: to go by the mark can only be later than to go by age.
  if (before.clock === 'marked' && removal.clock === 'own') return true;
  return !reachesAtLeast(removal.duration, before.duration);
}

/** Whether a duration is never shorter than the other, whatever day it is counted from. */
function reachesAtLeast(duration: Duration, other: Duration): boolean {
  if (duration.period === 'd' && other.period === 'd') return duration.count >= other.count;
  if (duration.period !== 'd' && other.period !== 'd') return toMonths(duration) >= toMonths(other);
  return toDayRange(duration).least >= toDayRange(other).most;
}

function toMonths({ count, period }: Duration): number {
  return period === 'y' ? count * 12 : count;
}

const CYCLE_MONTHS = 400 * 12;
const DAY_MS = 86_400_000;

/**
 * How many days a duration can span: months differ, and the calendar repeats itself after 400 years. Clamping to the end of a
 * month needs no case of its own: counted back from 31 March, a month spans as many days as from 1 April.
 */
function toDayRange(duration: Duration): { least: number; most: number } {
  if (duration.period === 'd') return { least: duration.count, most: duration.count };
  const months = toMonths(duration);
  const first = (month: number) => Date.UTC(2000, month, 1) / DAY_MS;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let month = 0; month < CYCLE_MONTHS; month += 1) {
    const days = first(month) - first(month - months);
    least = Math.min(least, days);
    most = Math.max(most, days);
  }
  return { least, most };
}

/** The night whose runs may have begun by now, as a day of the team's calendar: before 02:00 it is still yesterday's. */
export function toNight(moment: number, zone: string): string {
  const today = toDay(moment, zone) ?? toDay(moment, 'UTC');
  if (today === null) throw new RangeError('There is no such moment.');
  return (moment < getRetentionHour(today, zone) ? today.subtract({ days: 1 }) : today).toString();
}

/** When the next nightly run begins, in milliseconds. */
export function nextNight(moment: number, zone: string): number {
  const today = toDay(moment, zone) ?? toDay(moment, 'UTC');
  if (today === null) throw new RangeError('There is no such moment.');
  const at = getRetentionHour(today, zone);
  return moment < at ? at : getRetentionHour(today.add({ days: 1 }), zone);
}

/** 02:00 of a day; when clocks jump over it, the instant they jump to. A zone that cannot be read counts as UTC. */
function getRetentionHour(day: Temporal.PlainDate, zone: string): number {
  const known = toDay(0, zone) === null ? 'UTC' : zone;
  return day.toZonedDateTime({ timeZone: known, plainTime: { hour: RETENTION_HOUR } }).epochMilliseconds;
}
