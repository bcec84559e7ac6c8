import { parentPort } from 'node:worker_threads';

/** The result of a task, or why there is none. */
export type ThreadMessage = { result: unknown } | { error: unknown };

/** Makes the module of a thread answer the tasks of a worker pool, one at a time. The first message says that it is ready. */
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
