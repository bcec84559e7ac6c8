import { setTimeout as pause } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { answerTasks } from '#platform/workers/task-thread.ts';

export type HostileTask = 'id' | 'environment' | 'loop' | 'fill' | 'throw' | 'exit' | 'fail later' | 'starve';

/** Returns the id of the thread, unless the task does something else. */
function work(task: HostileTask): unknown {
  if (task === 'environment') return Object.keys(process.env);
  if (task === 'loop') for (;;);
  // Takes its time without the processor, as on a busy machine.
  if (task === 'starve') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  if (task === 'fill') for (const all: object[] = []; ; ) all.push({ all: all.length });
  if (task === 'throw') throw new RangeError('thrown by the task');
  if (task === 'exit') process.exit(3);
  if (task === 'fail later') void pause(1).then(() => Promise.reject(new Error('after the result')));
  return threadId;
}

answerTasks(work);
