import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { newPassword } from './new-password.ts';
import { createResetLink, replacePassword } from './reset-password.actions.ts';

/** Lets somebody in again who cannot be reached by mail. */
export const resetPassword: Command = {
  summary: 'Make a link for choosing a new password, or set a random one',
  notes: ['No mail is sent. The link works for 60 minutes, once; it begins with PUBLIC_URL.'],
  options: {
    email: { value: 'email', help: 'Whose password', required: true },
    password: { help: 'Set a random password at once, and end all sessions' },
  },
  prepare: (given) => {
    const email = read(typed.email, 'email', given.email);
    if (given.switches.has('password')) {
      const password = newPassword();
      return async ({ db }) => {
        const { personId, sessions } = await replacePassword(db, email, password);
        const lines = [`Password ${password} (shown this once)`, `${sessions} sessions were ended.`];
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
