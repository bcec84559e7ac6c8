import { refuse } from '#platform/http/errors.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';

/** Does work of one key after what came before it with the same key. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Lanes of this process: what has the same key comes one after another, the rest side by side. A full lane refuses (429). */
export function createKeyedQueue(places: number): KeyedQueue {
  const lanes = new Map<string, { limitConcurrency: ConcurrencyLimiter; inside: number }>();
  return async (key, work) => {
    const lane = lanes.get(key) ?? {
      limitConcurrency: createConcurrencyLimiter({ atOnce: 1, waiting: places }),
      inside: 0,
    };
    if (lane.inside >= places) refuse('rate.limited', 'Too much came at once. Please send it again later.');
    lanes.set(key, lane);
    lane.inside += 1;
    try {
      return await lane.limitConcurrency(work);
    } finally {
      lane.inside -= 1;
      if (lane.inside === 0) lanes.delete(key);
    }
  };
}
