import { Refusal } from '#platform/http/errors.ts';
import { createTaskQueue, type QueuedTask, type QueueLimits } from './task-queue.ts';
import { startThread, type TaskThread, type ThreadOptions } from './task-thread.ts';

export interface PoolOptions extends ThreadOptions, QueueLimits {
  threads: number;
  /** A thread without a task ends after this time, in milliseconds, to free its memory. */
  idleMs: number;
}

/** Threads for tasks that could block the event loop or need any amount of memory. */
export interface WorkerPool<Task, Result> {
  /**
   * Rejects with `TaskEnded` beyond the limits of a task. Refuses the task with 429 if too many tasks of its key wait, and with
   * 503 if no thread took it in time.
   */
  run(key: string, task: Task): Promise<Result>;
  size(): number;
  /** Ends all threads and refuses waiting tasks. */
  close(): Promise<void>;
}

/** Threads start when tasks need them. */
export function createWorkerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const queue = createTaskQueue(options);
  const closing = new AbortController();
  const places = new Map<Promise<void>, TaskThread | undefined>();
  const grow = () => {
    if (places.size >= options.threads || !queue.hasNext()) return;
    const place: Promise<void> = work((thread) => places.set(place, thread)).finally(() => {
      places.delete(place);
      grow();
    });
    places.set(place, undefined);
  };

  /** Runs tasks until there are none for a while. A thread that has ended is replaced. */
  const work = async (keep: (thread: TaskThread) => void): Promise<void> => {
    let thread: TaskThread | undefined;
    for (;;) {
      const queued = await queue.next(options.idleMs);
      if (!queued) break;
      try {
        if (!thread?.isOpen()) thread = await start(queued);
        keep(thread);
        queued.resolve(await thread.run(queued.task));
      } catch (error) {
        queued.reject(error);
      }
      queue.done(queued);
      grow();
      if (!thread?.isOpen()) await thread?.end();
    }
    await thread?.end();
  };

  const start = ({ tooLate }: QueuedTask) => {
    const until = AbortSignal.any([tooLate, closing.signal]);
    return startThread(options, until).catch((error) => {
      throw until.aborted ? new Refusal('server.unavailable') : error;
    });
  };

  return {
    async run(key, task) {
      const result = queue.add(key, task);
      grow();
      return (await result) as Result;
    },
    size: () => places.size,
    async close() {
      queue.close();
      closing.abort();
      await Promise.all([...places].flatMap(([place, thread]) => [place, thread?.end()]));
    },
  };
}
