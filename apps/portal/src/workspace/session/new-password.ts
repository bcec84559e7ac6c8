import { PASSWORD_MAX, PASSWORD_MIN } from '@steward/contract/api/limits';

/** Fixed text of the product reference, including the trailing space. */
export const PASSWORDS_DIFFER = 'Passwords must be matching. ';

/** Help text of the new password field. */
export const PASSWORD_ADVICE = `Use at least ${PASSWORD_MIN} characters. A passphrase of several words works well.`;

/** The error of a new password, if any. Characters are counted as the server counts them. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  return password.length > PASSWORD_MAX ? `The password must have at most ${PASSWORD_MAX} characters.` : undefined;
}
