import type { Command } from '../command.ts';
import { endSessions } from './end-sessions.actions.ts';

/** Signs all users out, after an incident or in a restored database. */
export const endAllSessions: Command = {
  summary: 'Sign out all users and revoke all emailed links',
  notes: [
    'Takes effect on every server with the next request. Passwords and service tokens are kept. Open invitations must be sent again.',
    'After pg_restore or point-in-time recovery, run it with --restored before starting a server: the restored database\n' +
      'contains sessions and service tokens that have ended and emails that have been sent since.',
  ],
  options: { restored: { help: 'Also end service tokens and compliance access, and drop queued jobs and emails' } },
  prepare: (given) => {
    const isRestored = given.switches.has('restored');
    return async ({ db }) => {
      const ended = await endSessions(db, { isRestored });
      const lines = [`${ended.sessions} sessions, ${ended.links} links and ${ended.sign_ups} sign-ups revoked.`];
      if (isRestored)
        lines.push(
          `${ended.tokens} service tokens ended: create new ones. Compliance access ended: ${ended.compliance_access}.`,
          `${ended.jobs} jobs and ${ended.mails} emails dropped from the queue.`,
        );
      return { result: ended, lines };
    };
  },
};
