import type { Ages } from '@steward/contract/retention/foresight';

/** Months without items are included. */
export interface ChartMonth {
  /** Months look like 2025-11. */
  month: string;
  count: number;
  bytes: number;
  /** Items under legal hold aren't part of the other count. */
  held: number;
}

/** The list has every month from the first one with items to the month of `now`, both in the team's calendar. */
export function fillMonths(months: Ages['months'], now: string): ChartMonth[] {
  const [first] = months;
  if (first === undefined) return [];
  const counted = new Map(months.map((month) => [month.month, month]));
  const last = [now, months.at(-1)?.month ?? now].sort().at(-1) ?? now;
  const filled: ChartMonth[] = [];
  for (let month = first.month; month <= last; month = getNext(month)) {
    const { count = 0, bytes = 0, held = 0 } = counted.get(month) ?? {};
    filled.push({ month, count, bytes, held });
  }
  return filled;
}

function getNext(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${pad(year + 1, 4)}-01` : `${pad(year, 4)}-${pad(number + 1, 2)}`;
}

const pad = (value: number, length: number) => String(value).padStart(length, '0');

/** The unit is months from the start: 1.5 is the middle of the second month. The position never leaves the axis. */
export function getPosition(months: readonly ChartMonth[], at: number, zone: string): number {
  const { month, share } = toMonth(at, zone);
  const index = months.findIndex((one) => one.month >= month);
  if (index === -1) return months.length;
  return months[index]?.month === month ? index + share : index;
}

/** The result also has the fraction of the month that has passed. */
export function toMonth(at: number, zone: string): { month: string; share: number } {
  const parts = getFormat(zone).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const [year, month, day] = [read('year'), read('month'), read('day')];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { month: `${pad(year, 4)}-${pad(month, 2)}`, share: (day - 1) / days };
}

function getFormat(zone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', calendar: 'gregory' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...parts, timeZone: 'UTC' });
  }
}

const MONTH = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', timeZone: 'UTC' });

/** Months are shown like “Nov 2025”. */
export function formatMonth(month: string): string {
  return MONTH.format(Date.parse(`${month}-01T00:00:00Z`));
}
