import type { SignInMethod, SignInOutcome } from '@steward/contract/users/sign-ins';

/** What became of a sign-in, in words. */
export const OUTCOMES: Record<SignInOutcome, string> = {
  ok: 'Signed in',
  bad_password: 'Wrong password',
  throttled: 'Too many attempts',
  second_factor: 'Second factor missing or wrong',
  deactivated: 'Deactivated',
  sso_refused: 'Refused by company sign-in',
};

/** How someone signed in, in words. */
export const METHODS: Record<SignInMethod, string> = { password: 'Password' };
