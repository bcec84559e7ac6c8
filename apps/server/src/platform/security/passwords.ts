import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { normalizePassword } from '@steward/contract/session/passwords';
import { describeLimit } from '#platform/described-limits.ts';
import { createFairQueue, type QueuePlace } from '#platform/jobs/fair-queue.ts';

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
export async function withHashingPlace<T>(network: string, work: (place: QueuePlace) => Promise<T>): Promise<T> {
  const place = queue.enter({ key: network });
  try {
    return await work(place);
  } finally {
    place.leave();
  }
}

/** Returns a PHC string. Only work that no network requests, such as a command, needs no place. */
export function hashPassword(password: string, place: QueuePlace = queue.enter()): Promise<string> {
  return place.run(() => hash(normalizePassword(password), SETTINGS));
}

const decoy = hash('decoy password', SETTINGS);

/** `outdated`: the password is right, but was hashed as typed, before passwords were normalized. */
export type PasswordCheck = 'right' | 'outdated' | 'wrong';

/**
 * Checks the normalized form, and the typed one if it differs. Without a hash, the answer is `wrong` after the same time, so
 * that timing reveals no accounts.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  place: QueuePlace = queue.enter(),
): Promise<PasswordCheck> {
  const against = stored ?? (await decoy);
  const forms = [...new Set([normalizePassword(password), password])];
  const form = await place.run(() => findForm(against, forms));
  if (stored == null || form === undefined) return 'wrong';
  return form === forms[0] ? 'right' : 'outdated';
}

async function findForm(hashed: string, forms: readonly string[]): Promise<string | undefined> {
  for (const form of forms) if (await verify(hashed, form).catch(() => false)) return form;
  return undefined;
}

/** The list takes several MiB of memory, so that the first new password loads it. */
export async function isTooCommon(password: string): Promise<boolean> {
  return (await import('./common-passwords.ts')).isCommonPassword(password);
}

/** Without characters that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password for reading from a screen and typing: four groups of five characters, 99 random bits. */
export function newPassword(): string {
  const randomLetter = () => LETTERS[randomInt(LETTERS.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, randomLetter).join('')).join('-');
}
