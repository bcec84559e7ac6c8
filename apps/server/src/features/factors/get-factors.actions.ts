import type { Factors } from '@steward/contract/factors/factors';
import type { Deps } from '#platform/deps.ts';
import { type SignedIn, toReauthPath } from '#workspace/access/enter-team.ts';
import { countFactors } from '#workspace/factors/factors.store.ts';
import { listPasskeys } from '#workspace/factors/passkeys.store.ts';
import { supportsPasskeys } from '#workspace/factors/relying-party.ts';

/** The user's second factors, and how their session confirms who holds it. */
export async function getOwnFactors({ db, env }: Deps, { personId, session }: SignedIn): Promise<Factors> {
  const { totp, recovery_codes_left } = await countFactors(db, personId);
  return {
    totp,
    passkeys: await listPasskeys(db, personId),
    recovery_codes_left,
    passkeys_supported: supportsPasskeys(env),
    reauth_url: session.method === 'sso' ? toReauthPath(session) : null,
  };
}
