import type { Answer } from './answer.ts';
import type { World } from './world.ts';

/** Counts the calls of an address, an admin's too. The refusal is plain text. */
export function countCall({ settings, buckets, now }: World, address: string): Answer | undefined {
  const { Enable, PerSec, MaxBurst } = settings.RateLimitSettings ?? {};
  if (Enable !== true) return undefined;
  const most = Number(MaxBurst) + 1;
  const before = buckets.get(address) ?? { left: most, at: now() };
  const left = Math.min(most, before.left + ((now() - before.at) / 1_000) * Number(PerSec));
  if (left >= 1) {
    buckets.set(address, { left: left - 1, at: now() });
    return undefined;
  }
  buckets.set(address, { left, at: now() });
  const reset = Math.ceil((most - left) / Number(PerSec));
  const counts = {
    'x-ratelimit-limit': String(most),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(reset),
  };
  return {
    status: 429,
    headers: { 'content-type': 'text/plain', 'retry-after': '1', ...counts },
    body: 'limit exceeded\n',
  };
}
