import { PASSWORD_MAX, PASSWORD_MIN } from '@steward/contract/limits';

/** What is wrong with a newly typed password, or nothing. Characters are counted as the server counts them. */
export function passwordProblem(password: string, again: string): string | undefined {
  if (password.length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  if (password.length > PASSWORD_MAX) return `The password must have at most ${PASSWORD_MAX} characters.`;
  return password === again ? undefined : 'Passwords must be matching. ';
}
