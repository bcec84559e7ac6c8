const HOUR = 3_600_000;

/** “9 hours earlier”: how far a moment moves. Undefined if it stays, or if there is no moment before or after. */
export function describeShift(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined || to === undefined || from === to) return undefined;
  const hours = Math.round((Math.abs(to - from) / HOUR) * 100) / 100;
  return `${hours.toLocaleString('en-US')} ${hours === 1 ? 'hour' : 'hours'} ${to < from ? 'earlier' : 'later'}`;
}
