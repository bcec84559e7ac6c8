import { END_DAYS_MAX } from '@steward/contract/api/limits';
import { Temporal } from 'temporal-polyfill';

/**
 * The first instant after a day of a time zone, in milliseconds. If daylight saving time skips midnight, or it comes twice, that is
 * the first instant of the next day.
 */
export function getEndOfDay(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
}

/** The day of the calendar in a time zone, such as 2027-03-31. */
export function toDay(moment: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The local date, hour and weekday, counted from 1 for Monday. */
export function toLocalTime(moment: number, zone: string): { date: string; hour: number; weekday: number } {
  const at = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  return { date: at.toPlainDate().toString(), hour: at.hour, weekday: at.dayOfWeek };
}

/** Restoring access keeps an end date, unless it has passed. */
export function keepEnd(date: string | null, today: string): string | null {
  return date === null || date < today ? null : date;
}

/** A membership ends today at the earliest. Dates of four-digit years compare as texts. */
export function isEndInRange(date: string, today: string): boolean {
  return date >= today && date <= Temporal.PlainDate.from(today).add({ days: END_DAYS_MAX }).toString();
}
