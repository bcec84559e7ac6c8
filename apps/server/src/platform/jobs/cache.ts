/** Most results kept at a time; beyond that, the oldest goes. */
const KEPT = 1_000;

/** Results that took longer than this, in milliseconds, are kept by `keepIfSlow`. */
const SLOW_MS = 250;
/** They are kept for this many times the time they took. */
const LIFETIME_FACTOR = 20;

/** The lifetime of slow results; quick ones are not kept, so that small teams always see current data. */
export function keepIfSlow(tookMs: number): number {
  return tookMs < SLOW_MS ? 0 : tookMs * LIFETIME_FACTOR;
}

/**
 * Caches results, and shares one computation between concurrent callers. The lifetime of a result depends on the time that it
 * took, both in milliseconds. The key has to name everything that a result depends on and must not outlive; failures are not kept.
 */
export function createCache<T>(
  getLifetime: (tookMs: number) => number,
): (key: string, compute: () => Promise<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const began = performance.now();
    const result = compute();
    const forget = () => {
      if (results.get(key) === result) results.delete(key);
    };
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > KEPT && oldest !== undefined) results.delete(oldest);
    result.then(() => {
      const lifetime = getLifetime(performance.now() - began);
      if (lifetime === 0) forget();
      else setTimeout(forget, lifetime).unref();
    }, forget);
    return result;
  };
}
