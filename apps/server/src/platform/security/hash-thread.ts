// A thread that hashes passwords, after everything else that wants the processor.
import { setPriority } from 'node:os';
import { answerTasks } from '#platform/workers/answer-tasks.ts';
import { type HashTask, runHashTask } from './hash-task.ts';

/** Nice value: beside threads of the usual 0, which get nine times as much of a core, this one waits. */
const PRIORITY = 10;

// Of this thread alone, on Linux; see `hashing-threads.ts`.
try {
  setPriority(0, PRIORITY);
} catch {
  // Not allowed here: hashing takes its share like any other work.
}

answerTasks((task: HashTask) => runHashTask(task));
