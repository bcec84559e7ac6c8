import type { Deps } from '#platform/deps.ts';
import { TaskEnded } from '#platform/workers/task-thread.ts';
import { createWorkerPool, type PoolOptions } from '#platform/workers/worker-pool.ts';
import type { IntegrationRow } from '../integrations.store.ts';
import { type ChatText, toChatText } from '../message/chat-text.ts';
import { problem } from '../message/template-problems.ts';
import type { CheckedTemplate, CheckTask, MessageTask } from './render.ts';

/** Limits of one rendering, and of the tasks that wait for their turn. */
const RENDERING: PoolOptions = {
  file: new URL('./template-thread.ts', import.meta.url),
  threads: 2,
  taskMs: 1_000,
  heapMb: 64,
  waitingPerKey: 8,
  tooMany: 'Too many templates of this team are being rendered. Try again in a few seconds.',
  // A thread also starts within this time, which takes seconds on a machine that is out of processor time.
  waitMs: 15_000,
  idleMs: 60_000,
};

const ENDED = {
  time: 'The template takes longer than 1 second.',
  memory: 'The template needs more than 64 MB of memory.',
} as const;

const NOT_POSTED = 'The message is the payload; it is posted only when it is redelivered.';

/** The message of a delivery. With an error it isn't posted. */
export type RenderedMessage = ChatText & { error: string };

/** A template to check, and how the message for its sample differs from that for a delivery. */
export type Sample = Pick<CheckTask, 'code' | 'message' | 'last'> & Partial<Pick<CheckTask, 'domain' | 'prefix'>>;

/** Checks and renders templates in threads, so that no template blocks anything but others of its team. */
export interface Renderer {
  /** A template that is stopped has one problem, which is an error. */
  check(teamId: string, template: Sample): Promise<CheckedTemplate>;
  /** If the template is stopped, the text is the payload, and the error says why. */
  toMessage(integration: IntegrationRow, request: Pick<MessageTask, 'body' | 'headers'>): Promise<RenderedMessage>;
  close(): Promise<void>;
}

export interface Rendering {
  deps: Deps;
  renderer: Renderer;
}

/** The first template starts a thread. */
export function createRenderer(): Renderer {
  const pool = createWorkerPool<CheckTask | MessageTask, CheckedTemplate | ChatText>(RENDERING);
  return {
    async check(teamId, { domain = '', prefix = '', ...template }) {
      try {
        return (await pool.run(teamId, { kind: 'check', domain, prefix, ...template })) as CheckedTemplate;
      } catch (error) {
        return { source: '', json: '', text: '', problems: [problem(describeEnd(error))] };
      }
    },
    async toMessage({ team_id, code, domain, message }, request) {
      try {
        const rendered = await pool.run(team_id, { kind: 'message', code, settings: { domain, message }, ...request });
        return { ...(rendered as ChatText), error: '' };
      } catch (error) {
        const reason = describeEnd(error);
        const { text, note } = toChatText(request.body);
        return { text, note: `${reason} ${text === '' ? note : NOT_POSTED}`, error: reason };
      }
    },
    close: () => pool.close(),
  };
}

/** Errors other than a stopped template are thrown again. */
function describeEnd(error: unknown): string {
  if (error instanceof TaskEnded) return ENDED[error.reason];
  throw error;
}
