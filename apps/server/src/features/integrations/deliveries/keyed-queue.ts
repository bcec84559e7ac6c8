import { refuse } from '#platform/http/errors.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';

export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work with the same key runs one at a time, other work concurrently. A full queue refuses (429). Per process. */
export function createKeyedQueue(capacity: number): KeyedQueue {
  const queues = new Map<string, { limitConcurrency: ConcurrencyLimiter; size: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? {
      limitConcurrency: createConcurrencyLimiter({ atOnce: 1, waiting: capacity }),
      size: 0,
    };
    if (queue.size >= capacity) refuse('rate.limited', 'Too many deliveries at once. Try again later.');
    queues.set(key, queue);
    queue.size += 1;
    try {
      return await queue.limitConcurrency(work);
    } finally {
      queue.size -= 1;
      if (queue.size === 0) queues.delete(key);
    }
  };
}
