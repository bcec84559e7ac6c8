import { hash, hashSync, verify, verifySync } from '@node-rs/argon2';

/** OWASP's argon2id settings: 19 MiB, two passes, parallelism 1. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A password to hash, or to compare with a stored hash. */
export type HashTask = { kind: 'hash'; password: string } | { kind: 'verify'; stored: string; password: string };

/** The hash as a PHC string, or whether the password matches; a stored hash that isn't one matches nothing. */
export type HashResult = string | boolean;

/** Hashes in the calling thread, which it blocks. */
export function runHashTask(task: HashTask): HashResult {
  if (task.kind === 'hash') return hashSync(task.password, SETTINGS);
  try {
    return verifySync(task.stored, task.password);
  } catch {
    return false;
  }
}

/** The same in libuv's thread pool. */
export function startHashTask(task: HashTask): Promise<HashResult> {
  return task.kind === 'hash' ? hash(task.password, SETTINGS) : verify(task.stored, task.password).catch(() => false);
}
