import type { Deps } from '#platform/deps.ts';
import type { Limit } from '#platform/security/throttle.ts';

/** Password checks of one account (trust G6). */
export const CHECKS: Limit = { name: 'session.login', tries: 10, seconds: 600 };

/** What the checks of an account are counted by: guessing from elsewhere uses up another counter than a known address. */
export function getCounterKey(email: string, at: { address: string; isKnown: boolean }): string {
  return at.isKnown ? `${email}|${at.address}` : email;
}

/** Forgets wrong tries, after a person proved by mail who they are. */
export async function clearFailedAttempts(deps: Deps, email: string, address: string): Promise<void> {
  for (const isKnown of [false, true]) await deps.throttle.clear(CHECKS, getCounterKey(email, { address, isKnown }));
}
