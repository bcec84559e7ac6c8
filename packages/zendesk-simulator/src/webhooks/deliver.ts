import type { Account, Attempt, Delivery, Outgoing, Webhook } from '../model.ts';
import type { World } from '../world.ts';
import { type Received, send } from './send.ts';
import { signedRequest } from './signed-request.ts';

/** Exclusive limit of a body. */
const CAP_BYTES = 256 * 1024;
/** Retries per kind of failure. */
const RETRIES = { timeout: 5, conflict: 3, later: 3 };
/** A longer Retry-After means no retry. */
const LONGEST_WAIT_S = 60;
/** Delay before a retry after a timeout or a conflict; Zendesk documents none. */
const WAIT_MS = 2_000;

/** A payload for a webhook, and why it is sent. */
export interface Order {
  webhook: Webhook;
  payload: Buffer;
  cause: Delivery['cause'];
  trigger_id?: number;
  ticket_id?: number;
}

/** Starts a delivery. The outcome is recorded in it. */
export function deliver(world: World, account: Account, order: Order): Delivery {
  const { webhook, cause, trigger_id, ticket_id } = order;
  const delivery: Delivery = {
    id: world.ulid(),
    webhook_id: webhook.id,
    cause,
    ...(trigger_id !== undefined && { trigger_id }),
    ...(ticket_id !== undefined && { ticket_id }),
    status: 'accepted',
    created_at: world.clock.now(),
    attempts: [],
  };
  account.deliveries.push(delivery);
  // Never rejects: failures are recorded in the delivery.
  void world.work(() => attemptUntilDone(world, account, { ...order, delivery }));
  return delivery;
}

/** Replays a recorded request unchanged. */
export async function replay(world: World, account: Account, old: Delivery): Promise<Delivery | undefined> {
  const request = old.attempts.findLast((attempt) => attempt.request)?.request;
  if (!request) return undefined;
  const delivery: Delivery = { ...old, cause: 'replay', created_at: world.clock.now(), attempts: [] };
  account.deliveries.push(delivery);
  note(delivery, await world.work(() => attempt(world, request)));
  return delivery;
}

async function attemptUntilDone(world: World, account: Account, job: Order & { delivery: Delivery }): Promise<void> {
  const { webhook, payload, delivery } = job;
  const tried = { timeout: 0, conflict: 0, later: 0 };
  if (payload.length >= CAP_BYTES) return note(delivery, { status: 'failed', completed_at: world.clock.now() });
  for (;;) {
    const now = world.clock.now();
    if (webhook.status !== 'active' || !account.webhooks.includes(webhook)) {
      return note(delivery, { status: 'failed', completed_at: now });
    }
    const pause = getPause(account, webhook.id, now);
    if (pause) note(delivery, { status: pause.status, completed_at: now });
    const wait = pause ? pause.ms : await attemptOnce(world, account, { job, tried });
    if (wait === undefined || !(await world.sleep(wait))) return;
  }
}

/** Makes one attempt, in one or more copies. Returns the delay before the next one, if any. */
async function attemptOnce(
  world: World,
  account: Account,
  { job, tried }: { job: Order & { delivery: Delivery }; tried: typeof RETRIES },
): Promise<number | undefined> {
  const { webhook, payload, delivery } = job;
  const request = signedRequest(account, { webhook, payload, invocation: delivery.id, now: world.clock.now() });
  const copies = Array.from({ length: account.delivery.copies }, () => attempt(world, request));
  const results = await Promise.all(copies);
  for (const result of results) note(delivery, result);
  const [first] = results;
  if (!first) return undefined;
  recordOutcome(account, webhook.id, { at: world.clock.now(), failed: first.status !== 'success' });
  return waitAfter(first, tried);
}

async function attempt(world: World, request: Outgoing): Promise<Attempt> {
  const outcome = await send(world, request);
  const completed_at = world.clock.now();
  if (typeof outcome === 'string') return { status: outcome, request, completed_at };
  const { status_code, headers, payload } = outcome;
  return { status: getState(outcome), status_code, request, response: { headers, payload }, completed_at };
}

function getState({ status_code }: Received): string {
  if (status_code >= 200 && status_code < 300) return 'success';
  if (status_code === 403) return 'terminated';
  if (status_code >= 500) return 'server error';
  return status_code >= 400 ? 'client error' : 'failed';
}

/** Only timeouts, conflicts and responses with Retry-After are retried. A plain 500 is lost. */
function waitAfter({ status, status_code, response }: Attempt, tried: typeof RETRIES): number | undefined {
  const again = (kind: keyof typeof RETRIES, ms: number) => {
    tried[kind] += 1;
    return tried[kind] > RETRIES[kind] ? undefined : ms;
  };
  if (status === 'timeout') return again('timeout', WAIT_MS * 2 ** tried.timeout);
  if (status_code === 409) return again('conflict', WAIT_MS * 2 ** tried.conflict);
  if (status_code !== 429 && status_code !== 503) return undefined;
  const retryAfter = response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const seconds = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) : Infinity;
  return seconds < LONGEST_WAIT_S ? again('later', seconds * 1_000) : undefined;
}

function note(delivery: Delivery, attempt: Attempt): void {
  delivery.attempts.push(attempt);
  delivery.status = attempt.status;
  delivery.completed_at = attempt.completed_at;
  if (attempt.status_code === undefined) delete delivery.status_code;
  else delivery.status_code = attempt.status_code;
}

const WINDOW_MS = 5 * 60_000;
const SHARE = 0.7;
const MOST_ERRORS = 1_000;
/** Minimum number of outcomes for a meaningful rate; Zendesk documents none. */
const FEWEST = 20;
const PAUSE_MS = 60_000;
const TRIAL_INVOCATIONS = 60;
const MINUTE_MS = 60_000;

/** Counts an outcome. Too many errors in five minutes pause all deliveries to the webhook. */
function recordOutcome(account: Account, webhookId: string, outcome: { at: number; failed: boolean }): void {
  const breaker = account.breakers.get(webhookId) ?? { outcomes: [], open_until: 0 };
  account.breakers.set(webhookId, breaker);
  breaker.outcomes = [...breaker.outcomes.filter(({ at }) => at > outcome.at - WINDOW_MS), outcome];
  const errors = breaker.outcomes.filter(({ failed }) => failed).length;
  const { length } = breaker.outcomes;
  if (errors > MOST_ERRORS || (length >= FEWEST && errors / length > SHARE)) {
    breaker.open_until = outcome.at + PAUSE_MS;
    breaker.outcomes = [];
  }
}

/** Returns the reason and duration of a pause; undefined if there is none. */
function getPause(account: Account, webhookId: string, now: number): { status: string; ms: number } | undefined {
  const open = account.breakers.get(webhookId)?.open_until ?? 0;
  if (open > now) return { status: 'circuit broken', ms: open - now };
  if (!account.settings.trial) return undefined;
  const minute = Math.floor(now / MINUTE_MS);
  const bucket = account.buckets.get('invocations');
  const used = bucket?.minute === minute ? bucket.used : 0;
  if (used >= TRIAL_INVOCATIONS) return { status: 'throttled', ms: (minute + 1) * MINUTE_MS - now };
  account.buckets.set('invocations', { minute, used: used + 1 });
  return undefined;
}
