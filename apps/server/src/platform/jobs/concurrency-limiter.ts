import { refuse } from '#platform/http/errors.ts';

/** Runs work immediately or, if the limit is reached, in the order of the calls. */
export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrent work in this process. Once `waiting` calls are queued, more are refused with 503. */
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
