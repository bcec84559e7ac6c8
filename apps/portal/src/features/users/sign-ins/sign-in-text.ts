import type { SignInMethod, SignInOutcome } from '@steward/contract/users/sign-ins';
import type { Tone } from '#platform/feedback/state-badge.tsx';

/** The results are in the order of the filter. */
export const OUTCOMES: Readonly<Record<SignInOutcome, { label: string; tone: Tone }>> = {
  ok: { label: 'Signed in', tone: 'success' },
  bad_password: { label: 'Wrong password', tone: 'warning' },
  throttled: { label: 'Too many attempts', tone: 'danger' },
  second_factor: { label: 'Second factor failed', tone: 'warning' },
  deactivated: { label: 'Account deactivated', tone: 'warning' },
  sso_refused: { label: 'Company sign-in refused', tone: 'warning' },
};

export const METHODS: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  sso: 'Single sign-on',
};
