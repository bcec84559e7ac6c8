/**
 * Dates and numbers as the browser's locale writes them: one short format for each. The zone is the viewer's unless
 * another one is given, which is then named.
 */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();

/** An instant (ms since 1970) in the viewer's zone, such as Mar 2, 2026, 10:41 AM. */
export function formatMoment(at: number): string {
  return MOMENT.format(at);
}

/** An instant in a named zone, such as Mar 2, 2026, 10:41 AM GMT+1; the zone is named unless it is the viewer's. */
export function formatMomentIn(at: number, timeZone: string): string {
  const isOwn = timeZone === MOMENT.resolvedOptions().timeZone;
  const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return isOwn
    ? formatMoment(at)
    : new Intl.DateTimeFormat(undefined, { ...parts, timeZone, timeZoneName: 'short' }).format(at);
}

/** A whole number with the locale's separators. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}
