import { startThread, type TaskThread } from '#platform/workers/task-thread.ts';
import { type HashResult, type HashTask, startHashTask } from './hash-task.ts';

/** The module of the threads, how many there are at most, and how long one without work is kept, in milliseconds. */
export interface HashingOptions {
  file: URL;
  threads: number;
  idleMs: number;
}

/** Hashes passwords, at a low priority while there are several. */
export interface Hashing {
  /** The hash of a password, as a PHC string. */
  hash(password: string): Promise<string>;
  /** Whether a password matches a hash; false for one that isn't valid. */
  verify(stored: string, password: string): Promise<boolean>;
  /** How many threads there are. */
  size(): number;
}

/** Time and heap, in MiB, of a thread, far more than a hash needs: 10 ms on an idle core, and none of the heap. */
const LIMITS = { taskMs: 30_000, heapMb: 64 };

/** Only Linux has priorities of threads: elsewhere, the call changes that of the process. */
const HAS_THREAD_PRIORITIES = process.platform === 'linux';

/**
 * Hashing beside other calls. A password that is alone is hashed in libuv's thread pool: that leaves other cores free, and needs no
 * thread of its own, which takes about 12 MiB. Once there are two at the same time, threads of a low priority are started for those
 * that follow, so that all other work of the process goes first. Nothing waits for a thread to start, and what a thread fails
 * to do is done in libuv's pool.
 */
export function createHashing({ threads: most, ...options }: HashingOptions): Hashing {
  const threads = createThreads(options);
  let running = 0;
  const run = async (task: HashTask): Promise<HashResult> => {
    const thread = threads.take();
    if (!thread && running > 0 && threads.size() < most && HAS_THREAD_PRIORITIES) void threads.add();
    running += 1;
    try {
      return await (thread ? runIn(thread, task) : startHashTask(task));
    } finally {
      running -= 1;
    }
  };
  const runIn = async (thread: TaskThread, task: HashTask): Promise<HashResult> => {
    try {
      return (await thread.run(task)) as HashResult;
    } catch {
      return startHashTask(task);
    } finally {
      threads.giveBack(thread);
    }
  };
  return {
    hash: async (password) => (await run({ kind: 'hash', password })) as string,
    verify: async (stored, password) => (await run({ kind: 'verify', stored, password })) as boolean,
    size: threads.size,
  };
}

/** Threads, of which those without work end after a while. */
function createThreads({ file, idleMs }: Pick<HashingOptions, 'file' | 'idleMs'>) {
  const idle = new Map<TaskThread, NodeJS.Timeout>();
  let size = 0;
  const end = (thread: TaskThread) => {
    idle.delete(thread);
    size -= 1;
    void thread.end();
  };
  const giveBack = (thread: TaskThread) => {
    if (thread.isOpen()) idle.set(thread, setTimeout(end, idleMs, thread).unref());
    else end(thread);
  };
  const take = (): TaskThread | undefined => {
    // The one that was used last, so that surplus ones end.
    const [thread, timer] = [...idle].at(-1) ?? [];
    if (!thread) return undefined;
    clearTimeout(timer);
    idle.delete(thread);
    if (thread.isOpen()) return thread;
    end(thread);
    return take();
  };
  return {
    size: () => size,
    take,
    giveBack,
    /** Starts one; without effect where it can't be started. */
    async add() {
      size += 1;
      try {
        giveBack(await startThread({ file, ...LIMITS }, new AbortController().signal));
      } catch {
        size -= 1;
      }
    },
  };
}
