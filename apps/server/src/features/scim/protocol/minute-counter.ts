const MINUTE_MS = 60_000;

/** Counts per key and minute, in this process. Returns the seconds to wait if there are too many, otherwise 0. */
export function createMinuteCounter(
  most: number,
  now: () => number = () => performance.now(),
): (key: string) => number {
  const counts = new Map<string, number>();
  let endsAt = Number.NEGATIVE_INFINITY;
  return (key) => {
    const time = now();
    if (time >= endsAt) {
      counts.clear();
      endsAt = time + MINUTE_MS;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > most ? Math.ceil((endsAt - time) / 1_000) : 0;
  };
}
