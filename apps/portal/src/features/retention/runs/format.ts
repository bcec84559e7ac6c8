const COUNTS = new Intl.NumberFormat('en-US');

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const SIZES = UNITS.map(
  (unit) =>
    new Intl.NumberFormat('en-US', {
      style: 'unit',
      unit,
      unitDisplay: unit === 'byte' ? 'long' : 'short',
      maximumFractionDigits: 1,
    }),
);

/** “12,345” */
export function formatNumber(count: number): string {
  return COUNTS.format(count);
}

/** “1 file”, “12,345 files” */
export function formatCount(count: number, { one, many }: { one: string; many: string }): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Bytes in the largest unit of which there is at least one: “3.4 GB”. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let shown = bytes;
  // What would be rounded up to a thousand is one of the next unit.
  while (shown >= 999.95 && step < SIZES.length - 1) {
    shown /= 1_000;
    step += 1;
  }
  return SIZES[step]?.format(step === 0 ? Math.round(shown) : shown) ?? '';
}

/** How long something took: “under 1 s”, “42 s”, “3 min 5 s”, “2 h 10 min”. */
export function formatTimeSpan(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 1) return 'under 1 s';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(`${minutes} min`, seconds % 60, 's');
  return joined(`${formatNumber(Math.floor(minutes / 60))} h`, minutes % 60, 'min');
}

function joined(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small} ${unit}`;
}

/** A day of the calendar in a team's zone: “November 21, 2025”. A zone that the browser does not know counts as UTC. */
export function formatDay(at: number, zone: string): string {
  return getZoneFormat(zone).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function getZoneFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = makeFormat(zone) ?? new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  formats.set(zone, made);
  return made;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone });
  } catch {
    return undefined;
  }
}
