// Second factors of the signed-in user: an authenticator app, passkeys and recovery codes; and confirming who holds a session.
// Sign-in checks them; #workspace/factors has their tables: totp_factors, passkeys, recovery_codes and used_challenges.

import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  confirmTotp,
  getFactors,
  reauthenticate,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Guard, serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { getRelyingParty } from '#workspace/access/factors/relying-party.ts';
import { lacksOwnFactor, recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import * as codes from './change-factors.actions.ts';
import { getOwnFactors } from './get-factors.actions.ts';
import * as passkeys from './passkeys.actions.ts';
import { confirmIdentity } from './reauthenticate.actions.ts';
import * as totp from './totp.actions.ts';

const DONE = { status_code: 200 } as const;

export function factorsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };
  const guard = withFactor(deps, recently(access.credentials));

  serve(app, getFactors, access.signedIn, ({ who }) => getOwnFactors(deps, who));
  serve(app, reauthenticate, access.signedIn, async (call) => {
    await confirmIdentity(deps, call);
    return DONE;
  });
  serveChange(room, addTotp, guard, (trx, { who }) => totp.addTotp(trx, deps, who));
  serveChange(room, confirmTotp, guard, (trx, call) => totp.confirmTotp(trx, deps, call));
  serveChange(room, removeTotp, guard, (trx, { who }) => totp.removeTotp(trx, deps, who));
  serve(app, addPasskeyOptions, guard, ({ who, request }) =>
    passkeys.getCreationOptions(deps, { who, party: getRelyingParty(deps.env, request) }),
  );
  serveChange(room, addPasskey, guard, (trx, call) => passkeys.addPasskey(trx, deps, call));
  serveChange(room, removePasskey, guard, (trx, { who, params }) =>
    passkeys.removePasskey(trx, deps, { who, ...params }),
  );
  serveChange(room, renewRecoveryCodes, guard, (trx, { who }) => codes.renewRecoveryCodes(trx, deps, who));
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
