const DAY_MS = 86_400_000;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const TIME = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const RELATIVE_DAY = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** A moment in the person's own zone, its day by name where it is near: both in milliseconds since 1970. */
export function formatRelativeDay(at: number, now: number): string {
  const days = Math.round((toUtcDay(at) - toUtcDay(now)) / DAY_MS);
  const day = Math.abs(days) <= 1 ? RELATIVE_DAY.format(days, 'day') : DAY.format(at);
  return `${day}, ${TIME.format(at)}`;
}

/** The day of a moment, as a number that grows by one day's length whatever clocks do in it. */
function toUtcDay(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
