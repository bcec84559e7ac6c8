import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@steward/contract/api/limits';

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

/** What someone typed as the code of a second factor. */
export type TypedCode = { kind: 'totp' | 'recovery'; code: string } | { kind: 'neither' };

/** Reads a code: blanks, hyphens and the case of letters don't count. */
export function readCode(typed: string): TypedCode {
  const code = typed.replace(/[\s\p{Pd}]/gu, '').toLowerCase();
  if (/^[0-9]{6}$/.test(code)) return { kind: 'totp', code };
  return /^[a-z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : { kind: 'neither' };
}
