import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { verifyPassword } from '#platform/security/passwords.ts';
import { findAccount } from '#workspace/people/accounts.store.ts';
import { CHECKS, getCounterKey } from '#workspace/sessions/failed-attempts.ts';
import { isKnownAddress } from '#workspace/sessions/sessions.store.ts';

/** Checks a password against the limits of sign-in, and returns the hash it was checked with. */
export async function checkPassword(
  deps: Deps,
  { email, password, origin }: { email: string; password: string; origin: Origin },
): Promise<string> {
  const account = await findAccount(deps.db, email);
  const isKnown = await isKnownAddress(deps.db, account?.id ?? '', origin.address);
  const counter = getCounterKey(email, { address: origin.address, isKnown });
  if (!(await deps.throttle.allows(CHECKS, counter))) refuse('rate.limited');
  if (!account?.password_hash || !(await verifyPassword(account.password_hash, password))) refuse('password.wrong');
  await deps.throttle.clear(CHECKS, counter);
  return account.password_hash;
}
