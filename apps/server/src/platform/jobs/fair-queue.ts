import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';

/** Whose work it is: a team or a network, and one of its users. */
export interface Share {
  key: string;
  user?: string;
}

/** A place in a fair queue must be used or left. */
export interface QueuePlace {
  /** Runs the work when it is this place's turn. Call it once. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Gives the place up; without effect once its work has begun. */
  leave(): void;
}

/** The keys take turns, and so do the users of each; the work of one user runs in order. */
export interface FairQueue {
  /**
   * Refuses with 429 if too much work of the key or the user waits, and with 503 if too much waits in total. Without a share, never
   * refuses.
   */
  enter(share?: Share): QueuePlace;
  /** Enters and runs. */
  run<T>(share: Share, work: () => Promise<T>): Promise<T>;
}

/** Limits of running and waiting work. */
export interface FairQueueLimits {
  atOnce: number;
  /** `atOnce` when absent. */
  atOncePerKey?: number;
  /** Unlimited within the key when absent. */
  waitingPerUser?: number;
  waitingPerKey: number;
  waiting: number;
  /** Message for those who have too much work waiting. */
  tooMany?: string;
}

/** Limits of counting queries. A count can take a minute, so one team never uses all of their connections. */
export const COUNTS = describeLimit({
  name: 'counts',
  counts: 'slow counts; teams and their users take turns',
  atOnce: 3,
  atOncePerKey: 2,
  waitingPerUser: 6,
  waitingPerKey: 12,
  waiting: 60,
});

/** Seconds after which a refused caller may try again: the lines are short. */
const RETRY_SECONDS = 2;
const TOO_MANY = 'Too many calls at once. Try again in a moment.';

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { atOnce, waitingPerKey, waiting, tooMany = TOO_MANY } = limits;
  const { atOncePerKey = atOnce, waitingPerUser = waitingPerKey + atOncePerKey } = limits;
  const lines = createLines();
  const running = createCounter();
  const places = createCounter();
  const placesOfUser = createCounter();

  function startNext(): void {
    if (running.total() >= atOnce) return;
    const next = lines.take((key) => running.of(key) < atOncePerKey);
    if (next === undefined) return;
    running.add(next.key, 1);
    next.begin();
  }

  async function runInTurn<T>(share: Required<Share>, leave: () => void, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      lines.add(share, () => {
        leave();
        resolve();
      });
      startNext();
    });
    try {
      return await work();
    } finally {
      running.add(share.key, -1);
      startNext();
    }
  }

  function enter(given?: Share): QueuePlace {
    const share = { key: '', user: '', ...given };
    const ofUser = JSON.stringify([share.key, share.user]);
    if (given !== undefined) {
      const ofKey = running.of(share.key) + places.of(share.key);
      if (ofKey >= atOncePerKey + waitingPerKey || placesOfUser.of(ofUser) >= waitingPerUser)
        refuse('rate.limited', tooMany, RETRY_SECONDS);
      if (running.total() + places.total() >= atOnce + waiting) refuse('server.unavailable');
    }
    const count = (by: 1 | -1) => {
      places.add(share.key, by);
      placesOfUser.add(ofUser, by);
    };
    count(1);
    let isHeld = true;
    const leave = () => {
      if (isHeld) count(-1);
      isHeld = false;
    };
    return { leave, run: (work) => runInTurn(share, leave, work) };
  }

  return { enter, run: async (share, work) => enter(share).run(work) };
}

/** Work with the same key runs one at a time, in order; other work runs concurrently. `capacity` counts the work of a key. */
export function createSequences(capacity: number, tooMany?: string): FairQueue {
  const limits = { atOnce: Number.POSITIVE_INFINITY, atOncePerKey: 1, waitingPerKey: capacity - 1, waiting: 0 };
  return createFairQueue(tooMany === undefined ? limits : { ...limits, tooMany });
}

/** Like `Promise.all` of a map, but with a limit of concurrent work. */
export function mapConcurrently<Item, T>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<T>,
): Promise<T[]> {
  const { run } = createFairQueue({ atOnce, waitingPerKey: items.length, waiting: items.length });
  return Promise.all(items.map((item) => run({ key: '' }, () => work(item))));
}

function createCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    total: () => total,
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string, by: 1 | -1) {
      const left = (counts.get(key) ?? 0) + by;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      total += by;
    },
  };
}

/** Waiting work. A Map keeps the order of insertion, so its first key has the next turn. */
function createLines() {
  const keys = new Map<string, Map<string, (() => void)[]>>();
  return {
    add({ key, user }: Required<Share>, begin: () => void) {
      const users = keys.get(key) ?? new Map<string, (() => void)[]>();
      keys.set(key, users);
      users.set(user, [...(users.get(user) ?? []), begin]);
    },
    /** Takes the next work of a key that may begin, and moves the key and its user behind the others. */
    take(mayBegin: (key: string) => boolean): { key: string; begin: () => void } | undefined {
      for (const [key, users] of keys) {
        const [first] = users;
        if (first === undefined || !mayBegin(key)) continue;
        const [user, [begin = () => undefined, ...rest]] = first;
        users.delete(user);
        if (rest.length > 0) users.set(user, rest);
        keys.delete(key);
        if (users.size > 0) keys.set(key, users);
        return { key, begin };
      }
      return undefined;
    },
  };
}
