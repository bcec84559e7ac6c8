import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';

/** Whose work it is: a team or a network, and one of its users. */
export interface Share {
  key: string;
  person?: string;
}

/** A place in a fair queue must be used or left. */
export interface Place {
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
  enter(share?: Share): Place;
  /** Enters and runs. */
  run<T>(share: Share, work: () => Promise<T>): Promise<T>;
}

/** Limits of running and waiting work. */
export interface FairQueueLimits {
  atOnce: number;
  /** `atOnce` when absent. */
  atOncePerKey?: number;
  /** Unlimited within the key when absent. */
  waitingPerPerson?: number;
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
  waitingPerPerson: 6,
  waitingPerKey: 12,
  waiting: 60,
});

/** Seconds after which a refused caller may try again: the lines are short. */
const RETRY_SECONDS = 2;
const TOO_MANY = 'Too many calls at once. Try again in a moment.';

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { atOnce, waitingPerKey, waiting, tooMany = TOO_MANY } = limits;
  const { atOncePerKey = atOnce, waitingPerPerson = waitingPerKey + atOncePerKey } = limits;
  const lines = createLines();
  const running = createCounter();
  const places = createCounter();
  const placesOfPerson = createCounter();

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

  function enter(given?: Share): Place {
    const share = { key: '', person: '', ...given };
    const ofPerson = JSON.stringify([share.key, share.person]);
    if (given !== undefined) {
      const ofKey = running.of(share.key) + places.of(share.key);
      if (ofKey >= atOncePerKey + waitingPerKey || placesOfPerson.of(ofPerson) >= waitingPerPerson)
        refuse('rate.limited', tooMany, RETRY_SECONDS);
      if (running.total() + places.total() >= atOnce + waiting) refuse('server.unavailable');
    }
    const count = (by: 1 | -1) => {
      places.add(share.key, by);
      placesOfPerson.add(ofPerson, by);
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
    add({ key, person }: Required<Share>, begin: () => void) {
      const people = keys.get(key) ?? new Map<string, (() => void)[]>();
      keys.set(key, people);
      people.set(person, [...(people.get(person) ?? []), begin]);
    },
    /** Takes the next work of a key that may begin, and moves the key and its user behind the others. */
    take(mayBegin: (key: string) => boolean): { key: string; begin: () => void } | undefined {
      for (const [key, people] of keys) {
        const [first] = people;
        if (first === undefined || !mayBegin(key)) continue;
        const [person, [begin = () => undefined, ...rest]] = first;
        people.delete(person);
        if (rest.length > 0) people.set(person, rest);
        keys.delete(key);
        if (people.size > 0) keys.set(key, people);
        return { key, begin };
      }
      return undefined;
    },
  };
}
