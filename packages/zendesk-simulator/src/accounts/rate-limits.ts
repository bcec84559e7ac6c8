import type { Account } from '../model.ts';
import type { Answer } from '../responses.ts';

const MINUTE_MS = 60_000;

/** The rate limit state of a call. */
export interface Allowance {
  headers: Record<string, string>;
  /** The refusal if the limit is exceeded. */
  refused?: Answer;
}

/** Counts a call: the webhooks service, its tests and everything else have separate limits. */
export function countCall(account: Account, path: string, now: number): Allowance {
  const { bucket, limit } = getBucket(account, path);
  const minute = Math.floor(now / MINUTE_MS);
  const held = account.buckets.get(bucket);
  const used = (held?.minute === minute ? held.used : 0) + 1;
  account.buckets.set(bucket, { minute, used });
  const remaining = String(Math.max(0, limit - used));
  const reset = String(Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000));
  const headers: Record<string, string> = { 'x-rate-limit': String(limit), 'x-rate-limit-remaining': remaining };
  if (path.startsWith('/api/v2/trigger')) {
    for (const name of ['rate-limit', 'ratelimit']) {
      Object.assign(headers, { [name === 'ratelimit' ? 'ratelimit-limit' : name]: String(limit) });
      Object.assign(headers, { [`${name}-remaining`]: remaining, [`${name}-reset`]: reset });
    }
  }
  return used > limit ? { headers, refused: tooMany(reset) } : { headers };
}

/** The response to too many calls: plain text, not JSON. */
function tooMany(seconds: string): Answer {
  return {
    status: 429,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': seconds },
    body: 'Number of allowed API requests per minute exceeded',
  };
}

function getBucket({ settings }: Account, path: string): { bucket: string; limit: number } {
  if (path === '/api/v2/webhooks/test') return { bucket: 'tests', limit: settings.webhook_tests_per_minute };
  if (/^\/api\/v2\/webhooks(\/|$)/.test(path))
    return { bucket: 'webhooks', limit: settings.webhook_requests_per_minute };
  return { bucket: 'account', limit: settings.requests_per_minute };
}
