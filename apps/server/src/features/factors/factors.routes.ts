// Second factors of the signed-in user: an authenticator app, passkeys and recovery codes; and confirming who holds a session.
// Sign-in checks them; #workspace/factors has their tables: totp_factors, passkeys, recovery_codes and used_challenges.

import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  confirmTotp,
  type Factors,
  getFactors,
  reauthenticate,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Guard, serve } from '#platform/http/http.ts';
import { type Access, coversAccount } from '#workspace/access/access.ts';
import { type SignedIn, toReauthPath } from '#workspace/access/enter-team.ts';
import { countFactors } from '#workspace/access/factors/factors.store.ts';
import { listPasskeys } from '#workspace/access/factors/passkeys.store.ts';
import { getRelyingParty, supportsPasskeys } from '#workspace/access/factors/relying-party.ts';
import { lacksOwnFactor, recently } from '#workspace/access/step-up.ts';
import type { SessionState } from '#workspace/access/team-security.rules.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findConnectionById } from '#workspace/users/identity-providers/connections.store.ts';
import * as codes from './change-factors.actions.ts';
import * as passkeys from './passkeys.actions.ts';
import { confirmIdentity } from './reauthenticate.actions.ts';
import * as totp from './totp.actions.ts';

const DONE = { status_code: 200 } as const;

export function factorsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };
  const guard = withFactor(deps, recently(access.credentials));

  serve(app, getFactors, access.signedIn, ({ who }) => getOwnFactors(deps, who));
  serve(app, reauthenticate, access.signedIn, async (call) => {
    await confirmIdentity(deps, call);
    return DONE;
  });
  serveChange(feature, addTotp, guard, (trx, { who }) => totp.addTotp(trx, deps, who));
  serveChange(feature, confirmTotp, guard, (trx, call) => totp.confirmTotp(trx, deps, call));
  serveChange(feature, removeTotp, guard, (trx, { who }) => totp.removeTotp(trx, deps, who));
  serve(app, addPasskeyOptions, guard, ({ who, request }) =>
    passkeys.getCreationOptions(deps, { who, party: getRelyingParty(deps.env, request) }),
  );
  serveChange(feature, addPasskey, guard, (trx, call) => passkeys.addPasskey(trx, deps, call));
  serveChange(feature, removePasskey, guard, (trx, { who, params }) =>
    passkeys.removePasskey(trx, deps, { who, ...params }),
  );
  serveChange(feature, renewRecoveryCodes, guard, (trx, { who }) => codes.renewRecoveryCodes(trx, deps, who));
}

/**
 * In a session from before the first factor, a user with only the password must not replace the factor; they must confirm with
 * it.
 */
function withFactor(deps: Deps, guard: Guard<SignedIn>): Guard<SignedIn> {
  return async (request, trx) => {
    const who = await guard(request, trx);
    if (await lacksOwnFactor(trx ?? deps.db, who)) refuse('session.reauth_required');
    return who;
  };
}

/** Includes the methods that confirm the current session. A session by single sign-on doesn't learn the names of passkeys. */
async function getOwnFactors({ db, env }: Deps, who: SignedIn): Promise<Factors> {
  const { userId, session } = who;
  const { totp, recovery_codes_left } = await countFactors(db, userId);
  return {
    totp,
    passkeys: session.method === 'sso' ? [] : await listPasskeys(db, userId),
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
