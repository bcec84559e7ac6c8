import { Temporal } from 'temporal-polyfill';

/** Items older than this many months are counted in the first month. */
const MONTHS_MAX = 1_200;

export interface Month {
  /** `YYYY-MM`. */
  month: string;
  /** First instant, in milliseconds. */
  start: number;
}

/** Lists every month from oldest to newest, at most a hundred years. An unknown time zone counts as UTC. */
export function listMonths({ oldest, newest }: { oldest: number; newest: number }, zone: string): Month[] {
  const last = toMonth(newest, zone);
  const earliest = last.subtract({ months: MONTHS_MAX - 1 });
  const oldestMonth = toMonth(oldest, zone);
  const months: Month[] = [];
  let month = Temporal.PlainYearMonth.compare(oldestMonth, earliest) < 0 ? earliest : oldestMonth;
  for (; Temporal.PlainYearMonth.compare(month, last) <= 0; month = month.add({ months: 1 }))
    months.push({ month: month.toString(), start: getStart(month, zone) });
  return months;
}

function toMonth(moment: number, zone: string): Temporal.PlainYearMonth {
  return inZone(zone, (known) =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(known).toPlainDate().toPlainYearMonth(),
  );
}

function getStart(month: Temporal.PlainYearMonth, zone: string): number {
  return inZone(zone, (known) => month.toPlainDate({ day: 1 }).toZonedDateTime(known).epochMilliseconds);
}

function inZone<T>(zone: string, read: (zone: string) => T): T {
  try {
    return read(zone);
  } catch {
    return read('UTC');
  }
}
