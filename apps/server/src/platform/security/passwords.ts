import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';

/** OWASP's argon2id settings: 19 MiB, two passes, parallelism 1. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More than two hashes at once slow down all other calls. */
const limitConcurrency = createConcurrencyLimiter({ atOnce: 2, waiting: Number.POSITIVE_INFINITY });

/** Hash for storage, as a PHC string. */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, SETTINGS));
}

const decoy = hash('decoy password', SETTINGS);

/** Whether the password matches the hash. Without a hash, returns false in the same time, so that timing reveals no accounts. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const against = stored ?? (await decoy);
  const fits = await limitConcurrency(() => verify(against, password).catch(() => false));
  return fits && stored != null;
}

const COMMON = new Set<string>(dictionary['passwords-common']);

/** Whether the password is among the most common ones, ignoring case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
