import type { Account } from '../model.ts';

const WINDOW_MS = 5 * 60_000;
const SHARE = 0.7;
const MOST_ERRORS = 1_000;
/** Minimum number of outcomes for a meaningful rate; Zendesk documents none. */
const FEWEST = 20;
const PAUSE_MS = 60_000;
const TRIAL_INVOCATIONS = 60;
const MINUTE_MS = 60_000;

/** Counts an outcome. Too many errors in five minutes pause all deliveries to the webhook. */
export function recordOutcome(account: Account, webhookId: string, outcome: { at: number; failed: boolean }): void {
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
export function getPause(account: Account, webhookId: string, now: number): { status: string; ms: number } | undefined {
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
