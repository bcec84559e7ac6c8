import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@steward/contract/api/limits';
import { normalizeCode } from '@steward/contract/factors/typed-code';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Secrets } from '#platform/security/secrets.ts';

export const TOTP_PURPOSE = 'totp-secret';

/** Codes of the step before and after are accepted: clocks of phones differ. In seconds. */
const TOLERANCE = 30;

export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The address that a QR code gives to the app: it names the product and the account. */
export function toTotpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return generateURI({ secret, issuer, label: email });
}

export function sealTotpSecret(secrets: Secrets, secret: string): string {
  return secrets.seal(TOTP_PURPOSE, secret);
}

/**
 * The time step that a code of six digits belongs to; undefined if it is wrong, or from a step that was used already. Throws if
 * the secret was encrypted with another SECRET_KEY.
 */
export function findTotpStep(
  secrets: Secrets,
  { sealed, lastStep, code }: { sealed: string; lastStep: number; code: string },
): number | undefined {
  const result = verifySync({
    secret: secrets.open(TOTP_PURPOSE, sealed),
    token: code,
    epochTolerance: TOLERANCE,
    ...(lastStep > 0 && { afterTimeStep: lastStep }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Five bits each: 80 bits. */
const LENGTH = 16;

/** New recovery codes as they are shown: four groups of four letters and digits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

export type TypedCode = { kind: 'totp' | 'recovery'; code: string } | { kind: 'neither' };

export function readCode(typed: string): TypedCode {
  const code = normalizeCode(typed);
  if (/^[0-9]{6}$/.test(code)) return { kind: 'totp', code };
  return /^[a-z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : { kind: 'neither' };
}
