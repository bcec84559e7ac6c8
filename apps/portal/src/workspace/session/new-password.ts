import { PASSWORD_MAX, PASSWORD_MIN } from '@steward/contract/api/limits';

/** The product reference fixes this text, including the trailing space. */
export const PASSWORDS_DIFFER = 'Passwords must be matching. ';

export const PASSWORD_ADVICE = `Use at least ${PASSWORD_MIN} characters. A passphrase of several words works well.`;

/** Characters are counted in the same way as on the server. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  return password.length > PASSWORD_MAX ? `The password must have at most ${PASSWORD_MAX} characters.` : undefined;
}
