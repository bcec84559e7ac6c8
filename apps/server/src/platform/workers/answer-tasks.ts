import { parentPort } from 'node:worker_threads';

export type ThreadMessage = { result: unknown } | { error: unknown };

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
