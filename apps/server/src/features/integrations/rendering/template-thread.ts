// A thread that renders templates: the only place where the server runs Liquid.
import { answerTasks } from '#platform/workers/answer-tasks.ts';
import { render } from './render.ts';

answerTasks(render);
