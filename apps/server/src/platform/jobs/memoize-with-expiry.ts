/** Results that took longer than this, in milliseconds, are kept. */
const SLOW_MS = 250;
/** They are kept for this many times the time they took. */
const LIFETIME_FACTOR = 20;

/**
 * Caches slow results for a while, and shares one computation between concurrent callers. Quick results are never cached, so that
 * small teams always see current data.
 */
export function memoizeWithExpiry<T>(): (key: string, compute: () => Promise<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const began = performance.now();
    const result = compute();
    results.set(key, result);
    const forget = () => results.delete(key);
    result.then(() => {
      const took = performance.now() - began;
      if (took < SLOW_MS) forget();
      else setTimeout(forget, took * LIFETIME_FACTOR).unref();
    }, forget);
    return result;
  };
}
