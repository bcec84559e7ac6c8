import { z } from 'zod';
import { listMails, MAIL_STATES } from '#platform/mail/mail-log.ts';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';

const SHOWN = 100;
const SHOWN_MAX = 10_000;

/** Shows what became of mails: which are waiting, which failed, and what the mail server said. */
export const mails: Command = {
  summary: 'List mails: sent, waiting, failed and why',
  notes: [
    'Newest first. Sent mails are remembered for a week, failed ones for a month; what they say is not kept. A mail waits\n' +
      'while the mail server puts it off or cannot be reached: tries go on for a day.',
  ],
  options: {
    state: { value: 'state', help: `Only these: ${MAIL_STATES.join(', ')}` },
    limit: { value: 'N', help: `At most so many (default ${SHOWN})` },
  },
  prepare: (given) => {
    const state = given.state === undefined ? undefined : read(z.enum(MAIL_STATES), 'state', given.state);
    const limit = given.limit === undefined ? SHOWN : read(typed.count(SHOWN_MAX), 'limit', given.limit);
    return async ({ db }) => {
      const records = await listMails(db, { limit, ...(state === undefined ? {} : { state }) });
      const lines = records.map((mail) =>
        [
          new Date(mail.created_at).toISOString(),
          mail.state.padEnd(7),
          mail.kind.padEnd(24),
          mail.recipient,
          mail.error && `(after ${mail.attempts} tries: ${mail.error})`,
        ]
          .filter(Boolean)
          .join('  '),
      );
      return { result: { mails: records }, lines: lines.length > 0 ? lines : ['There are none.'] };
    };
  },
};
