import { setTimeout as pause } from 'node:timers/promises';
import { listAuditEvents } from '@steward/contract/audit';
import { addEntries, listEntries } from '@steward/contract/directory';
import { getMe } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { newId } from '#platform/database/ids.ts';
import { callAt } from '#testing/app/call.ts';
import type { TestTeam } from '#testing/workspace/factories.ts';
import { delivery, type TestHelpdesk } from '#testing/workspace/integrations.ts';

/** A team that a client works in. */
export interface Place {
  team: TestTeam;
  desk: TestHelpdesk;
}

/** A change that a client made, and when it was acknowledged; it is repeated until then. */
export interface Change {
  kind: 'user' | 'entry' | 'delivery';
  /** The address, name or text, which nothing else has. */
  mark: string;
  /** When it was first sent, as a time of day, since the audit log has those. */
  sentAt: number;
  acknowledgedAt: number | undefined;
}

/** An answer. */
interface Answer {
  at: number;
  milliseconds: number;
  /** `200`, `503`, `503 without Retry-After`, …; `no answer` where the connection ended. */
  outcome: string;
}

export interface Load {
  changes: readonly Change[];
  answers: readonly Answer[];
  /** Reads of the audit log that lacked an earlier change. */
  staleReads(): number;
  /** Each client finishes what it is at. */
  stop(): Promise<void>;
}

/** Pause of a client after an acknowledged call, and before it repeats one. */
const THINK_MS = 40;
const RETRY_MS = 200;
/** A replica may be this far behind, in seconds. */
export const STALE_SECONDS = 5;

/** One client in each team, against the balancer: changes with an Idempotency-Key, repeated until they are acknowledged, and reads. */
export function startLoad(url: string, places: readonly Place[]): Load {
  const changes: Change[] = [];
  const answers: Answer[] = [];
  let goesOn = true;
  let staleReads = 0;

  const send = async (work: Step['work']): Promise<Seen & { at: number }> => {
    const at = performance.now();
    const reply: Seen = await work().catch(() => ({ status: 0, retryAfter: undefined }));
    answers.push({ at, milliseconds: performance.now() - at, outcome: describe(reply) });
    return { ...reply, at };
  };
  const change = async (kind: Change['kind'], mark: string, work: Step['work']): Promise<Change> => {
    const made: Change = { kind, mark, sentAt: Date.now(), acknowledgedAt: undefined };
    changes.push(made);
    while ((await send(work)).status !== 200) await pause(RETRY_MS);
    made.acknowledgedAt = performance.now();
    return made;
  };
  const client = async (place: Place, number: number) => {
    const steps = createSteps(url, place);
    const own: Change[] = [];
    for (let at = number; goesOn; at += 1) {
      const step = steps[at % steps.length];
      if (step === undefined) continue;
      const { kind, mark, work } = step();
      if (kind !== 'read') own.push(await change(kind, mark, work));
      else if (isStale(own, await send(work))) staleReads += 1;
      await pause(THINK_MS);
    }
  };
  const running = places.map(client);
  return {
    changes,
    answers,
    staleReads: () => staleReads,
    async stop() {
      goesOn = false;
      await Promise.all(running);
    },
  };
}

/** Whether a page of the audit log is older than a change that was acknowledged long enough before the request. */
function isStale(own: readonly Change[], { at, newest }: Seen & { at: number }): boolean {
  const isDue = ({ kind, acknowledgedAt = at }: Change) =>
    kind !== 'delivery' && acknowledgedAt < at - STALE_SECONDS * 1_000;
  return newest !== undefined && newest < (own.findLast(isDue)?.sentAt ?? 0);
}

function describe({ status, retryAfter }: Seen): string {
  if (status === 0) return 'no answer';
  return status === 503 && !retryAfter ? '503 without Retry-After' : String(status);
}

/** What a client sees of an answer. */
interface Seen {
  status: number;
  retryAfter: unknown;
  /** Time of the newest row, of a page of the audit log. */
  newest?: number;
}

interface Step {
  kind: Change['kind'] | 'read';
  mark: string;
  work: () => Promise<Seen>;
}

function createSteps(url: string, { team, desk }: Place): (() => Step)[] {
  const params = { teamId: team.id };
  const calling = async (
    ...[endpoint, sending]: Parameters<typeof callAt> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const { status, headers, body } = await callAt(url, endpoint, sending);
    const newest = endpoint === listAuditEvents && status === 200 ? { newest: body.records[0].at as number } : {};
    return { status, retryAfter: headers['retry-after'], ...newest };
  };
  const read =
    (...call: Parameters<typeof calling>) =>
    (): Step => ({ kind: 'read', mark: '', work: () => calling(...call) });
  const changing = (kind: 'user' | 'entry', toCall: (mark: string) => Parameters<typeof calling>) => (): Step => {
    const mark = newId();
    const [endpoint, sending] = toCall(mark);
    const keyed = { as: team.admin, params, headers: { 'idempotency-key': mark }, ...sending };
    return { kind, mark, work: () => calling(endpoint, keyed) };
  };
  return [
    changing('user', (mark) => [saveUser, { body: { email: `${mark}@example.test`, account_type: 2 } }]),
    read(getMe, { as: team.member }),
    changing('entry', (mark) => [addEntries, { body: [{ name: mark }] }]),
    read(listUsers, { as: team.admin, params }),
    () => deliver(url, desk),
    // An export and the audit log: reads on a replica.
    read(listEntries, { as: team.admin, params, query: { limit: '200' } }),
    changing('entry', (mark) => [addEntries, { body: [{ name: mark }] }]),
    read(listAuditEvents, { as: team.admin, params }),
  ];
}

/** Sent again with the same invocation id, as Zendesk does. */
function deliver(url: string, desk: TestHelpdesk): Step {
  const mark = `Message ${newId()}`;
  const invocationId = newId();
  const work = async () => {
    const { headers, body } = delivery(desk, { body: JSON.stringify({ text: mark }), invocationId });
    const response = await fetch(`${url}${desk.path}`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };
  return { kind: 'delivery', mark, work };
}
