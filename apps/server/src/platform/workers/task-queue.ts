import { Refusal, refuse } from '#platform/http/errors.ts';

/** A waiting or running task. */
export interface QueuedTask {
  key: string;
  task: unknown;
  /** Aborted when the task has waited too long. */
  tooLate: AbortSignal;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface QueueLimits {
  /** Most waiting tasks of one key, and the message that refuses more. */
  waitingPerKey: number;
  tooMany: string;
  /** Longest wait of a task, in milliseconds. */
  waitMs: number;
}

/** One task of a key runs at a time, and the keys take turns. */
export interface TaskQueue {
  /** Resolves with the result. Refuses with 429 if too many tasks of the key wait, and with 503 after too long a wait. */
  add(key: string, task: unknown): Promise<unknown>;
  /** Waits for the next task; undefined if there is none within `idleMs`. */
  next(idleMs: number): Promise<QueuedTask | undefined>;
  /** Then the next task of the key can be taken. */
  done(task: QueuedTask): void;
  hasNext(): boolean;
  /** Refuses waiting tasks with 503. There is no next task afterwards. */
  close(): void;
}

export function createTaskQueue({ waitingPerKey, waitMs, tooMany }: QueueLimits): TaskQueue {
  const turns = createTurns();
  const takers = createTakers(turns);
  let isClosed = false;
  const refuseTask = (queued: QueuedTask) => {
    if (turns.remove(queued)) queued.reject(new Refusal('server.unavailable'));
  };
  return {
    async add(key, task) {
      if (turns.count(key) > waitingPerKey) refuse('rate.limited', tooMany);
      if (isClosed) refuse('server.unavailable');
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const late = new AbortController();
      const queued = { key, task, tooLate: late.signal, resolve, reject };
      turns.add(queued);
      const timer = setTimeout(() => {
        late.abort();
        refuseTask(queued);
      }, waitMs);
      takers.serve();
      return promise.finally(() => clearTimeout(timer));
    },
    next: (idleMs) => (isClosed ? Promise.resolve(undefined) : takers.add(idleMs)),
    done({ key }) {
      turns.end(key);
      takers.serve();
    },
    hasNext: () => turns.findNext() !== undefined,
    close() {
      isClosed = true;
      turns.list().forEach(refuseTask);
      takers.dismiss();
    },
  };
}

/** Waiting tasks by key, and the keys of running ones. */
function createTurns() {
  // In the order of their turns.
  const waiting = new Map<string, QueuedTask[]>();
  const busy = new Set<string>();
  const remove = (queued: QueuedTask): boolean => {
    const ofKey = waiting.get(queued.key) ?? [];
    const others = ofKey.filter((each) => each !== queued);
    if (others.length > 0) waiting.set(queued.key, others);
    else waiting.delete(queued.key);
    return others.length < ofKey.length;
  };
  return {
    add: (queued: QueuedTask) => waiting.set(queued.key, [...(waiting.get(queued.key) ?? []), queued]),
    remove,
    /** Waiting and running tasks of a key. */
    count: (key: string) => (waiting.get(key)?.length ?? 0) + (busy.has(key) ? 1 : 0),
    list: () => [...waiting.values()].flat(),
    findNext: () => waiting.entries().find(([key]) => !busy.has(key))?.[1][0],
    begin(queued: QueuedTask) {
      remove(queued);
      busy.add(queued.key);
    },
    /** Moves the key behind all others. */
    end(key: string) {
      busy.delete(key);
      const others = waiting.get(key);
      if (others && waiting.delete(key)) waiting.set(key, others);
    },
  };
}

function createTakers(turns: ReturnType<typeof createTurns>) {
  const takers = new Set<(task?: QueuedTask) => void>();
  const serve = () => {
    for (const take of takers) {
      const next = turns.findNext();
      if (!next) return;
      turns.begin(next);
      take(next);
    }
  };
  return {
    serve,
    /** Resolves with undefined after `idleMs`. */
    add(idleMs: number): Promise<QueuedTask | undefined> {
      const { promise, resolve } = Promise.withResolvers<QueuedTask | undefined>();
      const take = (task?: QueuedTask) => {
        takers.delete(take);
        clearTimeout(timer);
        resolve(task);
      };
      const timer = setTimeout(take, idleMs).unref();
      takers.add(take);
      serve();
      return promise;
    },
    dismiss() {
      for (const take of takers) take();
    },
  };
}
