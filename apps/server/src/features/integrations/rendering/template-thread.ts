// A thread that renders templates: the only place where the server runs Liquid.
import { answerTasks } from '#platform/workers/task-thread.ts';
import { render } from './render.ts';

answerTasks(render);
