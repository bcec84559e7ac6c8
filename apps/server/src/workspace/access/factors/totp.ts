import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Secrets } from '#platform/security/secrets.ts';

/** The purpose that secrets of authenticator apps are sealed for. */
export const TOTP_PURPOSE = 'totp-secret';

/** Codes of the step before and after are accepted: clocks of phones differ. In seconds. */
const TOLERANCE = 30;

/** A secret of 160 bits in Base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The address that a QR code gives to the app: it names the product and the account. */
export function toTotpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return generateURI({ secret, issuer, label: email });
}

/** Encrypts a secret for storage. */
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
