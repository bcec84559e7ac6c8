import { PASSWORD_MAX, PASSWORD_MIN } from '@steward/contract/api/limits';
import { normalizePassword } from '@steward/contract/session/passwords';

/** The product reference fixes this text, including the trailing space. */
export const PASSWORDS_DIFFER = 'Passwords must be matching. ';

export const PASSWORD_ADVICE = `Use at least ${PASSWORD_MIN} characters. A passphrase of several words works well.`;

/** Characters are counted in the same way as on the server. */
export function passwordProblem(typed: string): string | undefined {
  const { length } = normalizePassword(typed);
  if (length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  return length > PASSWORD_MAX ? `The password must have at most ${PASSWORD_MAX} characters.` : undefined;
}

export function isSamePassword(typed: string, again: string): boolean {
  return normalizePassword(typed) === normalizePassword(again);
}
