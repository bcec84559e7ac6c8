import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { toCounter } from '#platform/security/throttle.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findTotpStep, readCode } from './codes.ts';
import { recoveryCodeUsedMail } from './factors.mail.ts';
import { countFactors, findTotp, useRecoveryCode, useTotpStep } from './factors.store.ts';

/** Codes of one account that are checked, right ones included: a million codes can't be tried. */
const CODES = describeLimit({
  name: 'mfa.codes',
  counts: 'codes of a second factor of an account that are checked, right ones included',
  attempts: 5,
  seconds: 600,
  beyond: '429, for the right code too',
});

/**
 * `none`: the user has no second factor. `required`: no code was sent. `throttled`: too many codes were sent. `check`:
 * the code may be checked now, and is counted.
 */
export type FactorCheck = 'none' | 'required' | 'throttled' | 'check';

/**
 * Call it after the password was found right, and outside of a transaction: counters need a connection of their own.
 */
export async function checkSecondFactor(
  deps: Deps,
  { userId, hasFactor, token }: { userId: string; hasFactor: boolean; token: string | undefined },
): Promise<FactorCheck> {
  if (!hasFactor) return 'none';
  if (token === undefined || token === '') return 'required';
  return (await deps.throttle.allows(CODES, userId)) ? 'check' : 'throttled';
}

export async function refuseThrottled(deps: Deps, userId: string): Promise<never> {
  refuse('mfa.throttled', undefined, Math.max(1, await deps.throttle.secondsLeft(CODES, userId)));
}

/** The counter of the codes that were sent; it is cleared when password and code were right. */
export function toCodesCounter(userId: string): string {
  return toCounter(CODES, userId);
}

export async function clearCodes(deps: Deps, userId: string): Promise<void> {
  await deps.throttle.clear(CODES, userId);
}

interface CodeUse {
  user: { id: string; email: string };
  token: string;
  origin: Origin;
}

/** Uses up a code of the authenticator app or a recovery code; false if it is wrong or was used. Of two at once, one succeeds. */
export async function useCode(trx: Trx, deps: Deps, { user, token, origin }: CodeUse): Promise<boolean> {
  const typed = readCode(token);
  if (typed.kind === 'neither') return false;
  if (typed.kind === 'totp') return useTotpCode(trx, deps, { userId: user.id, code: typed.code });
  if (!(await useRecoveryCode(trx, user.id, typed.code))) return false;
  const { recovery_codes_left: left } = await countFactors(trx, user.id);
  const mail = recoveryCodeUsedMail(deps.env, { to: user.email, left });
  await queueMail(trx, deps, { kind: 'session.recovery_code', userId: user.id, mail });
  const event = { teamId: '', actorId: user.id, target: user.id, details: { codes_left: left } };
  await addAuditEvent(trx, deps, { action: 'session.recovery_code_used', ...event, origin });
  return true;
}

async function useTotpCode(trx: Trx, deps: Deps, { userId, code }: { userId: string; code: string }): Promise<boolean> {
  const totp = await findTotp(trx, userId);
  const step = totp && readStep(deps, { sealed: totp.secret, lastStep: totp.last_step, code });
  return step !== undefined && useTotpStep(trx, userId, step);
}

// Sealed with a key that the operator no longer has: recovery codes and passkeys still work.
function readStep(deps: Deps, input: Parameters<typeof findTotpStep>[1]): number | undefined {
  try {
    return findTotpStep(deps.secrets, input);
  } catch (error) {
    deps.log.error({ err: error }, 'the secret of an authenticator app is unreadable; was SECRET_KEY changed?');
    return undefined;
  }
}
