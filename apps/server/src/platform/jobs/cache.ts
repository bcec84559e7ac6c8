/** Most results at a time; beyond that, the oldest is removed. */
const KEPT = 1_000;

/** Only results that took longer, in milliseconds, are cached by `keepIfSlow`. */
const SLOW_MS = 250;
/** The lifetime is this multiple of the time that the computation took. */
const LIFETIME_FACTOR = 20;

/** Fast results aren't cached, so that small teams always see current data. */
export function keepIfSlow(tookMs: number): number {
  return tookMs < SLOW_MS ? 0 : tookMs * LIFETIME_FACTOR;
}

/**
 * Caches results, and shares one computation between concurrent callers. The lifetime of a result depends on the time that it
 * took, both in milliseconds. The key must contain everything that a result depends on. Failures aren't cached.
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
