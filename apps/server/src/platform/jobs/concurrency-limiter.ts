import { refuse } from '#platform/http/errors.ts';

/** Does work now or, when enough is being done, as soon as its turn comes: first come, first served. */
export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

/** How many statements that count are at work at a time, and how many calls wait for that. */
export const COUNT_CONCURRENCY = { atOnce: 2, waiting: 30 };

/** At most `atOnce` pieces of work at a time in this process; with `waiting` of them in the queue, more are refused (503). */
export function createConcurrencyLimiter({ atOnce, waiting }: { atOnce: number; waiting: number }): ConcurrencyLimiter {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) refuse('server.unavailable');
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
