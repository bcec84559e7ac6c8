import type { Factors } from '@steward/contract/factors/factors';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { coversAccount } from '#workspace/access/access.ts';
import { type SignedIn, toReauthPath } from '#workspace/access/enter-team.ts';
import { countFactors } from '#workspace/access/factors/factors.store.ts';
import { listPasskeys } from '#workspace/access/factors/passkeys.store.ts';
import { supportsPasskeys } from '#workspace/access/factors/relying-party.ts';
import type { SessionState } from '#workspace/access/team-security.rules.ts';
import { findConnectionById } from '#workspace/people/identity-providers/connections.store.ts';

/** Includes the methods that confirm the current session. */
export async function getOwnFactors({ db, env }: Deps, who: SignedIn): Promise<Factors> {
  const { personId, session } = who;
  const { totp, recovery_codes_left } = await countFactors(db, personId);
  return {
    totp,
    passkeys: await listPasskeys(db, personId),
    recovery_codes_left,
    passkeys_supported: supportsPasskeys(env),
    ...(session.method === 'sso' ? await describeReauth(db, session) : { reauth_url: null, reauth_provider: null }),
    covers_account: await coversAccount(db, who),
  };
}

async function describeReauth(db: Database, session: SessionState) {
  const connection = await findConnectionById(db, session.connection_id ?? '');
  return { reauth_url: toReauthPath(session), reauth_provider: connection?.name ?? null };
}
