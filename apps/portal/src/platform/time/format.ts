/**
 * Dates and numbers use the format of the browser's locale, with one short format for each. The time zone is the viewer's,
 * unless another one is given and then named.
 */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();

export const VIEWER_ZONE = MOMENT.resolvedOptions().timeZone;

/** An instant (ms since 1970) in the viewer's zone, such as Mar 2, 2026, 10:41 AM. */
export function formatMoment(at: number): string {
  return MOMENT.format(at);
}

/** An instant in a named zone, such as Mar 2, 2026, 10:41 AM GMT+1; the zone is named unless it is the viewer's. */
export function formatMomentIn(at: number, timeZone: string): string {
  const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return timeZone === VIEWER_ZONE
    ? formatMoment(at)
    : new Intl.DateTimeFormat(undefined, { ...parts, timeZone, timeZoneName: 'short' }).format(at);
}

/** A day in the calendar of a zone, such as Nov 21, 2025 (UTC); the zone is named unless it is the viewer's. */
export function formatDayIn(at: number, timeZone: string, viewerZone = VIEWER_ZONE): string {
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: getKnownZone(timeZone) }).format(at);
  return timeZone === viewerZone ? day : `${day} (${timeZone})`;
}

const DAY_ALONE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of a calendar such as 2027-03-31, in the format of the locale. It belongs to no zone. */
export function formatDay(day: string): string {
  return DAY_ALONE.format(Date.parse(day));
}

/** The server may know zones that the browser doesn't. Those are shown in UTC. */
function getKnownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** A whole number with the locale's separators. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

const BYTES = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Uses the largest unit of which there is at least one, such as “3.4 GB”. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let amount = bytes;
  // A value that would be rounded up to a thousand becomes one of the next unit.
  while (amount >= 999.95 && step < UNITS.length - 1) {
    amount /= 1_000;
    step += 1;
  }
  if (step === 0) return bytes === 1 ? '1 byte' : `${Math.round(amount)} bytes`;
  return `${BYTES.format(amount)} ${UNITS[step]}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const WORDS = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** Uses the largest unit that fits. Both instants are in milliseconds since 1970. */
export function formatTimeAgo(at: number, now: number): string {
  const passed = now - at;
  // This is less than a minute, or the clocks of browser and server differ.
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return WORDS.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return WORDS.format(-Math.floor(passed / HOUR), 'hour');
  return WORDS.format(-Math.floor(passed / DAY), 'day');
}

/** Numbers are in the viewer's locale, such as “1 file” or “12,345 files”. */
export function formatCount(count: number, { one, many }: { one: string; many: string }): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Results look like “under 1 s”, “42 s”, “3 min 5 s” or “2 h 10 min”. */
export function formatTimeSpan(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 1) return 'under 1 s';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joinUnits(`${minutes} min`, seconds % 60, 's');
  return joinUnits(`${formatNumber(Math.floor(minutes / 60))} h`, minutes % 60, 'min');
}

function joinUnits(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small} ${unit}`;
}
