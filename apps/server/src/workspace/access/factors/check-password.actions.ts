import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { QueuePlace } from '#platform/jobs/fair-queue.ts';
import { hashPassword, verifyPassword, withHashingPlace } from '#platform/security/passwords.ts';
import { replacePasswordHash } from '#workspace/users/users.store.ts';
import { type Account, findAccount } from '../accounts.store.ts';
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
    const hash = await verifyAccountPassword(deps, { account, password, place });
    if (hash === undefined) refuse('password.wrong');
    return { hash, clearAttempts: () => deps.throttle.clear(CHECKS, counter) };
  });
}

interface PasswordAttempt {
  account: Pick<Account, 'id' | 'email' | 'password_hash'> | undefined;
  password: string;
  place: QueuePlace;
}

/**
 * The stored hash if the password is right; undefined otherwise. A hash from before passwords were normalized is replaced,
 * so that the password is right in each of its forms from now on.
 */
export async function verifyAccountPassword(
  { db }: Deps,
  { account, password, place }: PasswordAttempt,
): Promise<string | undefined> {
  const stored = account?.password_hash ?? undefined;
  const check = await verifyPassword(stored, password, place);
  if (account === undefined || stored === undefined || check === 'wrong') return undefined;
  if (check === 'right') return stored;
  const replacement = await hashPassword(password);
  if (await replacePasswordHash(db, account.id, { from: stored, to: replacement })) return replacement;
  // The password has been changed since, or another request has replaced its hash.
  const current = (await findAccount(db, account.email))?.password_hash ?? undefined;
  return (await verifyPassword(current, password)) === 'right' ? current : undefined;
}
