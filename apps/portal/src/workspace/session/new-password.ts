import { PASSWORD_MAX, PASSWORD_MIN } from '@steward/contract/api/limits';

/** Two passwords that should be the same are not (spec §8, its trailing blank included). */
export const PASSWORDS_DIFFER = 'Passwords must be matching. ';

/** Stands below the field of a new password. */
export const PASSWORD_ADVICE = `At least ${PASSWORD_MIN} characters. A few words in a row are easy to keep and hard to guess.`;

/** What is wrong with a newly typed password, or nothing. Characters are counted as the server counts them. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  return password.length > PASSWORD_MAX ? `The password must have at most ${PASSWORD_MAX} characters.` : undefined;
}
