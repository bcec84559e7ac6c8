import { refuse } from '#platform/http/errors.ts';
import { admitsAddress, type SignUpSetting } from '#platform/settings/sign-up.ts';

/** Refuses if sign-up is off. Invitations and the set-up of the first team are not affected. */
export function requireOpen({ mode }: SignUpSetting): void {
  if (mode === 'off') refuse('signup.closed');
}

/** Refuses an address that may not sign up a team, regardless of its account. */
export function requireAdmitted(setting: SignUpSetting, email: string): void {
  requireOpen(setting);
  if (!admitsAddress(setting, email)) refuse('signup.domain');
}
