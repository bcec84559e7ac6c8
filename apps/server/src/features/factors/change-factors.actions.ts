import type * as endpoints from '@steward/contract/factors/factors';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { recordBreakGlass } from '#workspace/access/factors/break-glass.actions.ts';
import { newRecoveryCodes } from '#workspace/access/factors/codes.ts';
import {
  type FactorKind,
  factorChangedMail,
  recoveryCodesRenewedMail,
} from '#workspace/access/factors/factors.mail.ts';
import {
  countFactors,
  hasFactor,
  lockFactors,
  removeBreakGlassOwner,
  removeRecoveryCodes,
  saveRecoveryCodes,
} from '#workspace/access/factors/factors.store.ts';
import { forgetSecondFactor, recordSecondFactor } from '#workspace/access/sessions/sessions.store.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findEmail } from '#workspace/users/users.store.ts';

/** Emails the user about a factor that was added or removed, and returns its audit event. */
async function report(
  trx: Trx,
  deps: Deps,
  { who, factor, isAdded }: { who: SignedIn; factor: FactorKind; isAdded: boolean },
): Promise<AuditEvent> {
  const { userId } = who;
  const mail = factorChangedMail(deps.env, { to: await findEmail(trx, userId), factor, isAdded });
  await queueMail(trx, deps, { kind: 'session.factor_changed', userId, mail });
  const action = isAdded ? 'session.factor_added' : 'session.factor_removed';
  return { action, teamId: '', actorId: userId, target: userId, details: { factor } };
}

/**
 * Marks the session as one with a factor, which lets an owner into teams that require single sign-on. Returns new recovery
 * codes if the user has none.
 */
export async function finishAdding(
  trx: Trx,
  deps: Deps,
  { who, factor, origin }: { who: SignedIn; factor: FactorKind; origin: Origin },
): Promise<{ recovery_codes: string[]; audit: AuditEvent }> {
  const { userId } = who;
  await recordSecondFactor(trx, who.sessionId);
  if (!who.session.has_second_factor) await recordBreakGlass(trx, deps, { userId, origin });
  const { recovery_codes_left } = await countFactors(trx, userId);
  const recovery_codes = recovery_codes_left === 0 ? newRecoveryCodes() : [];
  if (recovery_codes.length > 0) await saveRecoveryCodes(trx, userId, recovery_codes);
  return { recovery_codes, audit: await report(trx, deps, { who, factor, isAdded: true }) };
}

/**
 * Removing the last factor also removes the recovery codes. Sessions that were confirmed with it no longer count as such, and an
 * owner is no longer named to enter without single sign-on: a factor that is set up later proves less.
 */
export async function finishRemoving(
  trx: Trx,
  deps: Deps,
  { who, factor }: { who: SignedIn; factor: FactorKind },
): Promise<AuditEvent> {
  if (!(await hasFactor(trx, who.userId))) {
    await removeRecoveryCodes(trx, who.userId);
    await forgetSecondFactor(trx, who.userId);
    await removeBreakGlassOwner(trx, who.userId);
  }
  return report(trx, deps, { who, factor, isAdded: false });
}

export async function renewRecoveryCodes(
  trx: Trx,
  deps: Deps,
  { userId }: SignedIn,
): Promise<Changed<typeof endpoints.renewRecoveryCodes>> {
  await lockFactors(trx, userId);
  if (!(await hasFactor(trx, userId))) refuse('mfa.not_set_up');
  const recovery_codes = newRecoveryCodes();
  await saveRecoveryCodes(trx, userId, recovery_codes);
  const mail = recoveryCodesRenewedMail(deps.env, await findEmail(trx, userId));
  await queueMail(trx, deps, { kind: 'session.recovery_codes', userId, mail });
  return {
    answer: { recovery_codes },
    audit: { action: 'session.recovery_codes_renewed', teamId: '', actorId: userId, target: userId },
  };
}
