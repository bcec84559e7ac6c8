/** Milliseconds since 1970, strictly increasing, so that ids and posts sort in order of creation. */
export function createMonotonicClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}
