import { answerTasks } from '#platform/workers/answer-tasks.ts';

// Ends, with its thread, in every task.
answerTasks(() => process.exit(3));
