/** Milliseconds since 1970, each later than the one before: ids and posts made with them are sorted as they were made. */
export function createMonotonicClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}
