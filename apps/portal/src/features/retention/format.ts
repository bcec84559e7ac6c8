import { formatNumber } from '#platform/time/format.ts';

const BYTES = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A count with its noun in the viewer's locale, such as “1 file” or “12,345 files”. */
export function formatCount(count: number, { one, many }: { one: string; many: string }): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Bytes in the largest unit of which there is at least one: “3.4 GB”. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let amount = bytes;
  // What would be rounded up to a thousand is one of the next unit.
  while (amount >= 999.95 && step < UNITS.length - 1) {
    amount /= 1_000;
    step += 1;
  }
  if (step === 0) return bytes === 1 ? '1 byte' : `${Math.round(amount)} bytes`;
  return `${BYTES.format(amount)} ${UNITS[step]}`;
}

/** A duration: “under 1 s”, “42 s”, “3 min 5 s”, “2 h 10 min”. */
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
