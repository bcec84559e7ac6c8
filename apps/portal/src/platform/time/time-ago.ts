const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const WORDS = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** How long ago something was, in the largest unit that fits: both in milliseconds since 1970. */
export function formatTimeAgo(at: number, now: number): string {
  const passed = now - at;
  // Less than a minute, or the clocks of browser and server differ.
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return WORDS.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return WORDS.format(-Math.floor(passed / HOUR), 'hour');
  return WORDS.format(-Math.floor(passed / DAY), 'day');
}
