import { refuse } from '#platform/http/errors.ts';

/** A place in a fair queue must be used or left. */
export interface Place {
  /** Runs the work when it is this place's turn. Call it once. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Gives the place up; without effect once its work has begun. */
  leave(): void;
}

/** The keys take turns; the work of one key runs in order. */
export interface FairQueue {
  /** Refuses with 429 if too much work of the key waits, and with 503 if too much waits in total. Without a key, never refuses. */
  enter(key?: string): Place;
}

/** Limits of running and waiting work. */
export interface FairQueueLimits {
  atOnce: number;
  waitingPerKey: number;
  waiting: number;
}

/** Seconds after which a refused caller may try again: the lines are short. */
const RETRY_SECONDS = 2;
const TOO_MANY = 'Too many attempts at once from your network. Try again in a moment.';

export function createFairQueue({ atOnce, waitingPerKey, waiting }: FairQueueLimits): FairQueue {
  let running = 0;
  let places = 0;
  // A Map keeps the order of insertion, so the first line has the next turn.
  const lines = new Map<string, (() => void)[]>();
  const placesPerKey = new Map<string, number>();

  function countPlace(key: string, by: 1 | -1): void {
    const left = (placesPerKey.get(key) ?? 0) + by;
    if (left > 0) placesPerKey.set(key, left);
    else placesPerKey.delete(key);
    places += by;
  }

  function startNext(): void {
    const [first] = lines;
    if (running >= atOnce || !first) return;
    const [key, [begin, ...rest]] = first;
    lines.delete(key);
    if (rest.length > 0) lines.set(key, rest);
    running += 1;
    begin?.();
  }

  async function runInTurn<T>(key: string, leave: () => void, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      const begin = () => {
        leave();
        resolve();
      };
      lines.set(key, [...(lines.get(key) ?? []), begin]);
      startNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  }

  return {
    enter(given) {
      const key = given ?? '';
      if (given !== undefined && (placesPerKey.get(key) ?? 0) >= waitingPerKey)
        refuse('rate.limited', TOO_MANY, RETRY_SECONDS);
      if (given !== undefined && places >= waiting) refuse('server.unavailable');
      countPlace(key, 1);
      let isHeld = true;
      const leave = () => {
        if (isHeld) countPlace(key, -1);
        isHeld = false;
      };
      return { leave, run: (work) => runInTurn(key, leave, work) };
    },
  };
}
