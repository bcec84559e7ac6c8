/** Most results kept at a time; beyond that, the oldest goes. */
const KEPT = 1_000;

/**
 * Caches results for a time, and shares one computation between concurrent callers. The key has to name everything that a
 * result depends on and must not outlive; failures are not kept.
 */
export function cacheFor<T>(milliseconds: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    const forget = () => {
      if (results.get(key) === result) results.delete(key);
    };
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > KEPT && oldest !== undefined) results.delete(oldest);
    result.then(() => setTimeout(forget, milliseconds).unref(), forget);
    return result;
  };
}
