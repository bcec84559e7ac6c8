import type { Deps } from '#platform/deps.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { Limit } from '#platform/security/throttle.ts';

/** Password checks of one account. */
export const CHECKS: Limit = { name: 'session.login', attempts: 10, seconds: 600 };

/** The counter of an account's checks. A known network has its own, so guessing from elsewhere can't lock it out. */
export function getCounterKey(email: string, at: { address: string; isKnown: boolean }): string {
  return at.isKnown ? `${email}|${getNetwork(at.address)}` : email;
}

/** Clears failed attempts after a person has proved their identity by email. */
export async function clearFailedAttempts(deps: Deps, email: string, address: string): Promise<void> {
  for (const isKnown of [false, true]) await deps.throttle.clear(CHECKS, getCounterKey(email, { address, isKnown }));
}
