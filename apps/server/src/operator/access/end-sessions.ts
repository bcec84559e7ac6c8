import type { Command } from '../command.ts';
import { endSessions } from './end-sessions.actions.ts';

/** Signs everybody out, after an incident or in a database that was restored. */
export const endAllSessions: Command = {
  summary: 'Sign everybody out and end every mailed link',
  notes: [
    'On every node with the next request. Passwords and service tokens stay. Invitations that were open have to be sent again.',
    'After pg_restore or a recovery to a point in time, with --restored and before a server is started on the database:\n' +
      'sessions that ended since are alive in it, and mails that were sent since still wait in it.',
  ],
  options: { restored: { help: 'Also drop what waits to be done and to be mailed' } },
  prepare: (given) => {
    const isRestored = given.switches.has('restored');
    return async ({ db }) => {
      const ended = await endSessions(db, { isRestored });
      const lines = [`${ended.sessions} sessions, ${ended.links} links and ${ended.sign_ups} sign-ups were ended.`];
      if (isRestored) lines.push(`${ended.jobs} jobs and ${ended.mails} mails that waited were dropped.`);
      return { result: ended, lines };
    };
  },
};
