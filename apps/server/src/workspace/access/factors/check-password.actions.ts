import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { verifyPassword, withHashingPlace } from '#platform/security/passwords.ts';
import { findAccount } from '../accounts.store.ts';
import { CHECKS, getCounterKey } from '../sessions/failed-attempts.ts';
import { findKnown } from '../sessions/known-devices.store.ts';

export interface CheckedPassword {
  hash: string;
  /** Clears the failed attempts, when everything else is right too. */
  clearAttempts(): Promise<void>;
}

export async function checkPassword(
  deps: Deps,
  { email, password, origin }: { email: string; password: string; origin: Origin },
): Promise<CheckedPassword> {
  return withHashingPlace(getNetwork(origin.address), async (place) => {
    const account = await findAccount(deps.db, email);
    const from = { address: origin.address, device: undefined };
    const known = await findKnown(deps.db, account?.id ?? '', from);
    const counter = getCounterKey(email, { ...from, known });
    if (!(await deps.throttle.allows(CHECKS, counter)))
      refuse('rate.limited', undefined, await deps.throttle.secondsLeft(CHECKS, counter));
    if (!account?.password_hash || !(await verifyPassword(account.password_hash, password, place)))
      refuse('password.wrong');
    return { hash: account.password_hash, clearAttempts: () => deps.throttle.clear(CHECKS, counter) };
  });
}
