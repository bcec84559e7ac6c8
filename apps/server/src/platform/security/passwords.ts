import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { describeLimit } from '#platform/described-limits.ts';
import { createFairQueue, type Place } from '#platform/jobs/fair-queue.ts';

/** OWASP's argon2id settings: 19 MiB, two passes, parallelism 1. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Passwords are hashed in libuv's thread pool. More than two at once would slow down all other calls. Networks take turns, so
 * that a network that guesses passwords doesn't delay the others.
 */
const HASHING = describeLimit({
  name: 'hashing',
  counts: 'sign-ins and other password checks; networks take turns',
  atOnce: 2,
  waitingPerKey: 8,
  waiting: 1_000,
  beyond: '429',
  tooMany: 'Too many attempts at once from your network. Try again in a moment.',
});
const queue = createFairQueue(HASHING);

/**
 * Takes a network's place in the queue for hashing before the call does anything else. Refuses networks with too many waiting
 * calls. The place ends with the work.
 */
export async function withHashingPlace<T>(network: string, work: (place: Place) => Promise<T>): Promise<T> {
  const place = queue.enter({ key: network });
  try {
    return await work(place);
  } finally {
    place.leave();
  }
}

/** Returns a PHC string. Only work that no network requests, such as a command, needs no place. */
export function hashPassword(password: string, place: Place = queue.enter()): Promise<string> {
  return place.run(() => hash(password, SETTINGS));
}

const decoy = hash('decoy password', SETTINGS);

/** Without a hash, returns false after the same time, so that timing reveals no accounts. */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  place: Place = queue.enter(),
): Promise<boolean> {
  const against = stored ?? (await decoy);
  const fits = await place.run(() => verify(against, password).catch(() => false));
  return fits && stored != null;
}

const COMMON = new Set<string>(dictionary['passwords-common']);

/** Ignores case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
