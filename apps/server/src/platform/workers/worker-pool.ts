import { Refusal, refuse } from '#platform/http/errors.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { startThread, type TaskThread, type ThreadOptions } from './task-thread.ts';

export interface PoolOptions extends ThreadOptions {
  threads: number;
  /** Most waiting tasks of one key, and the message that refuses more. */
  waitingPerKey: number;
  tooMany: string;
  /** Longest wait of a task for a thread, in milliseconds. */
  waitMs: number;
  /** A thread without a task ends after this time, in milliseconds, to free its memory. */
  idleMs: number;
}

/** Threads for tasks that could block the event loop or need any amount of memory. */
export interface WorkerPool<Task, Result> {
  /**
   * One task of a key runs at a time, and the keys take turns. Rejects with `TaskEnded` beyond the limits of a task. Refuses the
   * task with 429 if too many tasks of its key wait, and with 503 if no thread took it in time.
   */
  run(key: string, task: Task): Promise<Result>;
  size(): number;
  /** Ends all threads and refuses waiting tasks. */
  close(): Promise<void>;
}

export function createWorkerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const { threads: atOnce, waitingPerKey, tooMany, waitMs } = options;
  const queue = createFairQueue({ atOnce, atOncePerKey: 1, waitingPerKey, waiting: Number.POSITIVE_INFINITY, tooMany });
  const threads = createThreads(options);
  const closing = new AbortController();
  return {
    async run(key, task) {
      if (closing.signal.aborted) refuse('server.unavailable');
      const place = queue.enter({ key });
      const late = AbortSignal.any([closing.signal, AbortSignal.timeout(waitMs)]);
      const waiting = Promise.withResolvers<never>();
      const refuseLate = () => {
        place.leave();
        waiting.reject(new Refusal('server.unavailable'));
      };
      late.addEventListener('abort', refuseLate);
      const result = place.run(async () => {
        const thread = await threads.take(closing.signal);
        try {
          late.removeEventListener('abort', refuseLate);
          if (late.aborted) refuse('server.unavailable');
          return await thread.run(task);
        } finally {
          await threads.giveBack(thread);
        }
      });
      return (await Promise.race([result, waiting.promise])) as Result;
    },
    size: threads.size,
    async close() {
      closing.abort();
      await threads.endAll();
    },
  };
}

/** Threads start when tasks need them. */
function createThreads(options: PoolOptions) {
  const threads = new Set<TaskThread>();
  const idle = new Map<TaskThread, NodeJS.Timeout>();
  const end = async (thread: TaskThread) => {
    idle.delete(thread);
    await thread.end();
    threads.delete(thread);
  };
  return {
    /** An idle thread, or a new one. It starts also if its task no longer waits, so that a slow machine has it for the next. */
    async take(until: AbortSignal): Promise<TaskThread> {
      for (const [thread, timer] of idle) {
        idle.delete(thread);
        clearTimeout(timer);
        if (thread.isOpen()) return thread;
        await end(thread);
      }
      const thread = await startThread(options, until).catch((error) => {
        throw until.aborted ? new Refusal('server.unavailable') : error;
      });
      threads.add(thread);
      return thread;
    },
    async giveBack(thread: TaskThread): Promise<void> {
      if (thread.isOpen()) idle.set(thread, setTimeout(end, options.idleMs, thread).unref());
      else await end(thread);
    },
    size: () => threads.size,
    endAll: () => Promise.all([...threads].map(end)),
  };
}
