import { EventEmitter, on } from 'node:events';
import { getMe } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { newId } from '#platform/database/ids.ts';
import { callAt } from '#testing/app/call.ts';
import type { TestTeam } from '#testing/workspace/factories.ts';
import { delivery, type TestHelpdesk } from '#testing/workspace/integrations.ts';

export interface MixedLoad {
  /** Resolves when this many more requests were answered. */
  answered(more: number): Promise<void>;
  /** Lets each client complete its current request. */
  stop(): Promise<void>;
  count(): number;
  /** Descriptions of all responses other than 200. */
  failed: string[];
  saved: string[];
  delivered: string[];
}

interface Aim {
  url: () => string;
  team: TestTeam;
  desk: TestHelpdesk;
  clients: number;
}

/** Starts immediately, against one URL. */
export function startLoad({ url, team, desk, clients }: Aim): MixedLoad {
  const params = { teamId: team.id };
  const answers = new EventEmitter().setMaxListeners(0);
  const load = { failed: [] as string[], saved: [] as string[], delivered: [] as string[] };
  let count = 0;
  let goesOn = true;

  const save = async () => {
    const email = `${newId()}@example.test`;
    const headers = { 'idempotency-key': email };
    const reply = await callAt(url(), saveUser, { as: team.admin, params, headers, body: { email, account_type: 2 } });
    if (reply.status === 200) load.saved.push(email);
    return reply;
  };
  const deliver = async () => {
    const text = `Message ${newId()}`;
    const { headers, body } = delivery(desk, { body: JSON.stringify({ text }) });
    const response = await fetch(`${url()}${desk.path}`, { method: 'POST', headers, body });
    if (response.status === 200) load.delivered.push(text);
    return { status: response.status, text: await response.text() };
  };
  const kinds = [
    () => callAt(url(), getMe, { as: team.member }),
    save,
    () => callAt(url(), listUsers, { as: team.admin, params }),
    deliver,
  ];
  const client = async (number: number) => {
    for (let at = number; goesOn; at += 1) {
      const kind = at % kinds.length;
      const reply = await kinds[kind]?.().catch((error: Error) => ({ status: 0, text: `${error.cause ?? error}` }));
      count += 1;
      if (reply?.status !== 200) load.failed.push(`kind ${kind}: ${reply?.status} ${reply?.text}`);
      answers.emit('answer');
    }
  };
  const running = Array.from({ length: clients }, (_, number) => client(number));
  return {
    ...load,
    count: () => count,
    async answered(more) {
      const wanted = count + more;
      const events = on(answers, 'answer');
      while (count < wanted) await events.next();
      await events.return?.();
    },
    async stop() {
      goesOn = false;
      await Promise.all(running);
    },
  };
}
