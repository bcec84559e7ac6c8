/** What took longer than this to find out, in milliseconds, is not asked again at once. */
const SLOW_MS = 250;
/** It holds for so many times as long as it took. */
const HOLDS = 20;

/**
 * Remembers for a while what was slow to find out, and asks once for all who ask at the same time. Quick answers are never
 * kept, so that small teams always see what is there.
 */
export function memoizeWithExpiry<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = asked.get(key);
    if (known !== undefined) return known;
    const began = performance.now();
    const answer = ask();
    asked.set(key, answer);
    const forget = () => asked.delete(key);
    answer.then(() => {
      const took = performance.now() - began;
      if (took < SLOW_MS) forget();
      else setTimeout(forget, took * HOLDS).unref();
    }, forget);
    return answer;
  };
}
