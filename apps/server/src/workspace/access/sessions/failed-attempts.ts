import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashToken } from '#platform/security/secrets.ts';
import type { Known, SignInFrom } from './known-devices.store.ts';

export const CHECKS = describeLimit({
  name: 'session.login',
  counts: 'password checks of an account; a known device, a known network and all others count separately',
  attempts: 10,
  seconds: 600,
  beyond: '401, as for a wrong password; 429 where a signed-in user confirms theirs',
});

/** A known device or network has a counter of its own, so that guessing from elsewhere can't lock it out. */
export function getCounterKey(email: string, { address, device, known }: SignInFrom & { known: Known }): string {
  if (known === 'device' && device !== undefined) return `${email}|device|${hashToken(device)}`;
  return known === 'no' ? email : `${email}|${getNetwork(address)}`;
}

/** Clears failed attempts after a user has proved their identity by email. */
export async function clearFailedAttempts(deps: Deps, email: string, address: string): Promise<void> {
  for (const known of ['no', 'address'] as const)
    await deps.throttle.clear(CHECKS, getCounterKey(email, { address, device: undefined, known }));
}
