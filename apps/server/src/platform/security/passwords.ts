import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';

/** OWASP's argon2id settings: 19 MiB, two passes, one lane (trust G8). */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More than two hashes at once slow every other call (speed.md). */
const limitConcurrency = createConcurrencyLimiter({ atOnce: 2, waiting: Number.POSITIVE_INFINITY });

/** Hash for storage, as a PHC string. */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, SETTINGS));
}

const decoy = hash('a password that nobody has', SETTINGS);

/** Whether the password fits; without a hash it takes the same time and answers false (trust G7). */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const against = stored ?? (await decoy);
  const fits = await limitConcurrency(() => verify(against, password).catch(() => false));
  return fits && stored != null;
}

const COMMON = new Set<string>(dictionary['passwords-common']);

/** Whether the password is among the commonest known ones, whatever its case (trust G8). */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
