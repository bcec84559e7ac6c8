const DAY = /^(2\d{3})-(\d{2})-(\d{2})$/;

/** Returns midnight at the start of a date such as 2026-03-02, or some days later; undefined for a date that doesn't exist. */
export function getStartOfDay(day: string, later = 0): Date | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  // The calendar is used because a day may have 23 or 25 hours.
  const isDay = new Date(year, month - 1, date).getDate() === date;
  return isDay && month >= 1 && month <= 12 ? new Date(year, month - 1, date + later) : undefined;
}

/** Converts the first and last date in the viewer's time zone to the start and end of a call. The last day is included. */
export function toPeriod({ from, to }: { from: string | undefined; to: string | undefined }): {
  from?: string;
  to?: string;
} {
  const since = from === undefined ? undefined : getStartOfDay(from);
  const until = to === undefined ? undefined : getStartOfDay(to, 1);
  return { ...(since && { from: String(since.getTime()) }), ...(until && { to: String(until.getTime()) }) };
}
