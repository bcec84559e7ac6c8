import { setTimeout as pause } from 'node:timers/promises';
import { createSteps, type Place, type Seen, type Step } from './steps.ts';

/** A change is repeated until it is acknowledged. */
export interface Change {
  kind: 'user' | 'entry' | 'delivery';
  /** A unique address, name or text. */
  mark: string;
  /** A time of day, because the audit log has those. */
  sentAt: number;
  acknowledgedAt: number | undefined;
}

interface Answer {
  at: number;
  milliseconds: number;
  /** `200`, `503`, `503 without Retry-After`, …; `no answer` if the connection ended. */
  outcome: string;
}

export type Load = ReturnType<typeof startLoad>;

/** Pause of a client after an acknowledged call, and before repeating one. */
const THINK_MS = 40;
const RETRY_MS = 200;
/** Maximum lag of a replica, in seconds. */
export const STALE_SECONDS = 5;

/**
 * One client in each team calls the load balancer: changes with an Idempotency-Key, repeated until they are acknowledged, and
 * reads.
 */
export function startLoad(url: string, places: readonly Place[]) {
  const changes: Change[] = [];
  const answers: Answer[] = [];
  let goesOn = true;
  let staleReads = 0;

  const send = async (work: Step['work']): Promise<Seen> => {
    const at = performance.now();
    const reply: Seen = await work().catch(() => ({ status: 0, retryAfter: undefined }));
    answers.push({ at, milliseconds: performance.now() - at, outcome: describe(reply) });
    return reply;
  };
  const change = async (kind: Change['kind'], mark: string, work: Step['work']): Promise<Change> => {
    const made: Change = { kind, mark, sentAt: Date.now(), acknowledgedAt: undefined };
    changes.push(made);
    while ((await send(work)).status !== 200) await pause(RETRY_MS);
    made.acknowledgedAt = performance.now();
    return made;
  };
  const client = async (place: Place, number: number) => {
    const own: Change[] = [];
    const isDue = ({ acknowledgedAt = Number.POSITIVE_INFINITY }: Change) =>
      acknowledgedAt < performance.now() - STALE_SECONDS * 1_000;
    const steps = createSteps(url, place, (kinds) => own.findLast((made) => kinds.includes(made.kind) && isDue(made)));
    for (let at = number; goesOn; at += 1) {
      const step = steps[at % steps.length];
      if (step === undefined) continue;
      const { kind, mark, work } = step();
      if (kind !== 'read') own.push(await change(kind, mark, work));
      else if ((await send(work)).isStale) staleReads += 1;
      await pause(THINK_MS);
    }
  };
  const running = places.map(client);
  return {
    changes,
    answers,
    /** Reads without a change that was acknowledged more than `STALE_SECONDS` before. */
    staleReads: () => staleReads,
    /** Each client completes its current call. */
    async stop() {
      goesOn = false;
      await Promise.all(running);
    },
  };
}

function describe({ status, retryAfter }: Seen): string {
  if (status === 0) return 'no answer';
  return status === 503 && !retryAfter ? '503 without Retry-After' : String(status);
}
