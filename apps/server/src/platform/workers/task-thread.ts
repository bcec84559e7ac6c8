import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';

/** The task and its thread were ended because it took too long or needed too much memory. */
export class TaskEnded extends Error {
  readonly reason: 'time' | 'memory';

  constructor(reason: TaskEnded['reason']) {
    super(`The task was ended: too much ${reason}.`);
    this.reason = reason;
  }
}

export interface ThreadOptions {
  /** The module of the thread, which calls `answerTasks`. */
  file: URL;
  /** Processor time for one task, in milliseconds. On a busy machine, the task may take longer. */
  taskMs: number;
  /** Heap of a thread, in MiB. */
  heapMb: number;
}

/** Runs one task at a time. Without a task, the thread doesn't keep the process alive. */
export interface TaskThread {
  /** Rejects with `TaskEnded` beyond the limits; the thread ends too. */
  run(task: unknown): Promise<unknown>;
  isOpen(): boolean;
  end(): Promise<unknown>;
}

/** Space for new objects, in MiB; the default of 48 would be mostly unused. */
const YOUNG_MB = 16;

/** The thread doesn't get the environment and the options of the process. Resolves when it is ready. */
export async function startThread({ file, taskMs, heapMb }: ThreadOptions, until: AbortSignal): Promise<TaskThread> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB };
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits });
  try {
    await once(worker, 'message', { signal: until });
    until.throwIfAborted();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  let isOpen = true;
  let current: PromiseWithResolvers<unknown> | undefined;
  const close = (error: Error) => {
    isOpen = false;
    current?.reject(error);
  };
  worker.on('message', (message: ThreadMessage) =>
    'result' in message ? current?.resolve(message.result) : current?.reject(message.error),
  );
  worker.on('error', (error) => close(isOutOfMemory(error) ? new TaskEnded('memory') : (error as Error)));
  worker.on('exit', () => close(new Error('A thread ended unexpectedly.')));
  worker.unref();
  const endLate = (task: typeof current) => {
    if (current !== task) return;
    close(new TaskEnded('time'));
    void worker.terminate();
  };
  return {
    async run(task) {
      const running = Promise.withResolvers<unknown>();
      current = running;
      worker.ref();
      const done = new AbortController();
      spend(worker, taskMs, done.signal).then(
        // While this process is busy, the result may have arrived without having been read.
        () => setImmediate(endLate, running),
        () => {},
      );
      worker.postMessage(task);
      try {
        return await running.promise;
      } finally {
        done.abort();
        current = undefined;
        worker.unref();
      }
    },
    isOpen: () => isOpen,
    end: () => worker.terminate(),
  };
}

/** Resolves when the thread has used this processor time, in milliseconds. Rejects when it has ended or `done` is aborted. */
async function spend(worker: Worker, ms: number, done: AbortSignal): Promise<void> {
  const start = await worker.cpuUsage();
  for (let leftMs = ms; leftMs > 0; ) {
    await setTimeout(Math.max(leftMs, 10), undefined, { signal: done, ref: false });
    const { user, system } = await worker.cpuUsage(start);
    leftMs = ms - (user + system) / 1_000;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

type ThreadMessage = { result: unknown } | { error: unknown };

/** Runs in the module of a thread and answers the tasks of a worker pool. The first message says that the thread is ready. */
export function answerTasks<Task, Result>(work: (task: Task) => Result): void {
  parentPort?.on('message', (task: Task) => {
    let message: ThreadMessage;
    try {
      message = { result: work(task) };
    } catch (error) {
      message = { error };
    }
    parentPort?.postMessage(message);
  });
  parentPort?.postMessage('ready');
}
