import { formatNumber } from '#platform/time/format.ts';

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
