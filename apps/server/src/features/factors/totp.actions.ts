import type * as endpoints from '@steward/contract/factors/factors';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { findTotpStep, newTotpSecret, readCode, sealTotpSecret, toTotpUri } from '#workspace/access/factors/codes.ts';
import * as store from '#workspace/access/factors/factors.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findEmail } from '#workspace/users/users.store.ts';
import { finishAdding, finishRemoving } from './change-factors.actions.ts';

/** The secret becomes effective with the first code, in the same session. */
export async function addTotp(
  trx: Trx,
  { env, secrets }: Deps,
  who: SignedIn,
): Promise<Changed<typeof endpoints.addTotp>> {
  const { userId } = who;
  await store.lockFactors(trx, userId);
  const secret = newTotpSecret();
  if (!(await store.savePendingTotp(trx, who, sealTotpSecret(secrets, secret)))) refuse('mfa.already_set_up');
  const uri = toTotpUri(secret, { issuer: env.PRODUCT_NAME, email: await findEmail(trx, userId) });
  return { answer: { secret, uri }, audit: null };
}

/** Sets up the authenticator app with its first code, which can't be used again. */
export async function confirmTotp(
  trx: Trx,
  deps: Deps,
  { who, body, origin }: { who: SignedIn; body: { token: string }; origin: Origin },
): Promise<Changed<typeof endpoints.confirmTotp>> {
  const { userId } = who;
  await store.lockFactors(trx, userId);
  const pending = await store.findPendingTotp(trx, who);
  if (!pending) refuse('mfa.not_started');
  const typed = readCode(body.token);
  const step =
    typed.kind === 'totp'
      ? findTotpStep(deps.secrets, { sealed: pending.secret, lastStep: 0, code: typed.code })
      : undefined;
  if (step === undefined) refuse('mfa.wrong');
  await store.confirmTotp(trx, userId, step);
  const { recovery_codes, audit } = await finishAdding(trx, deps, { who, factor: 'totp', origin });
  return { answer: { recovery_codes }, audit };
}

export async function removeTotp(trx: Trx, deps: Deps, who: SignedIn): Promise<Changed<typeof endpoints.removeTotp>> {
  await store.lockFactors(trx, who.userId);
  if (!(await store.removeTotp(trx, who.userId))) refuse('record.not_found');
  return { answer: { status_code: 200 }, audit: await finishRemoving(trx, deps, { who, factor: 'totp' }) };
}
