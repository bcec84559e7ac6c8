import { newPassword } from '@steward/server/src/platform/security/new-password.ts';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { createResetLink, replacePassword } from './reset-password.actions.ts';

/** Restores access for someone who can't receive email. */
export const resetPassword: Command = {
  summary: 'Create a password reset link, or set a random password',
  notes: ['No email is sent. The link starts with PUBLIC_URL, can be used once and expires in 60 minutes.'],
  options: {
    email: { value: 'email', help: 'Email address of the account', required: true },
    password: { help: 'Set a random password immediately and end all sessions' },
  },
  prepare: (given) => {
    const email = read(typed.email, 'email', given.email);
    if (given.switches.has('password')) {
      const password = newPassword();
      return async ({ db }) => {
        const { personId, sessions } = await replacePassword(db, email, password);
        const lines = [`Password ${password} (shown only once)`, `${sessions} sessions ended.`];
        return { result: { id: personId, password, sessions }, lines };
      };
    }
    return async ({ db, env }) => {
      const { personId, token } = await createResetLink(db, email);
      const url = `${env.publicUrl}/reset_password?token=${token}`;
      return { result: { id: personId, url }, lines: [url] };
    };
  },
};
