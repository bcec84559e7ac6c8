import { RETENTION_COUNT_MAX, RETENTION_COUNT_MIN, RETENTION_HOUR } from '@steward/contract/api/limits';
import type { Duration } from '@steward/contract/retention/fields';
import { Temporal } from 'temporal-polyfill';

const UNITS = new Map<unknown, 'days' | 'months' | 'years'>([
  ['d', 'days'],
  ['m', 'months'],
  ['y', 'years'],
]);

/**
 * The cutoff in milliseconds: the start of `moment`'s day in the team's time zone, minus the duration in calendar units,
 * clamped to the end of the month. An item is deleted when its date is strictly before it. Null for an invalid duration or
 * zone.
 */
export function computeCutoff({ count, period }: Duration, moment: number, zone: string): number | null {
  if (!Number.isInteger(count) || count < RETENTION_COUNT_MIN || count > RETENTION_COUNT_MAX) return null;
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

/** If daylight saving time skips midnight, the day starts at the first instant that exists. */
function getStartOfDay(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds;
}

/** The night whose runs may have started by now, as a day of the team's calendar: before 02:00 it is yesterday's. */
export function toNight(moment: number, zone: string): string {
  const today = getToday(moment, zone);
  return (moment < getRetentionHour(today, zone) ? today.subtract({ days: 1 }) : today).toString();
}

/** In milliseconds. */
export function nextNight(moment: number, zone: string): number {
  const today = getToday(moment, zone);
  const at = getRetentionHour(today, zone);
  return moment < at ? at : getRetentionHour(today.add({ days: 1 }), zone);
}

/** The day in the team's zone; an unknown zone counts as UTC. */
function getToday(moment: number, zone: string): Temporal.PlainDate {
  const today = toDay(moment, zone) ?? toDay(moment, 'UTC');
  if (today === null) throw new RangeError('Invalid time value');
  return today;
}

/** 02:00 of a day, or the first instant after if daylight saving time skips it. An unknown zone counts as UTC. */
function getRetentionHour(day: Temporal.PlainDate, zone: string): number {
  const timeZone = toDay(0, zone) === null ? 'UTC' : zone;
  return day.toZonedDateTime({ timeZone, plainTime: { hour: RETENTION_HOUR } }).epochMilliseconds;
}
