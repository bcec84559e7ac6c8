import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { resetFactors } from './reset-factors.actions.ts';

/** Restores access for someone who lost their second factor and recovery codes. */
export const resetFactorsCommand: Command = {
  summary: 'Remove the second factors of an account',
  notes: [
    'Removes the authenticator app, passkeys and recovery codes, and ends all sessions. The password stays. No email is sent.',
    'Make sure first that the request comes from the person: afterward, the password alone opens the account.',
  ],
  options: { email: { value: 'email', help: 'Email address of the account', required: true } },
  prepare: (given) => {
    const email = read(typed.email, 'email', given.email);
    return async ({ db }) => {
      const { personId, hadFactor, sessions } = await resetFactors(db, email);
      const lines = hadFactor
        ? [`Second factors of ${email} removed. ${sessions} sessions ended.`]
        : [`${email} has no second factor. Nothing was changed.`];
      return { result: { id: personId, had_factor: hadFactor, sessions }, lines };
    };
  },
};
