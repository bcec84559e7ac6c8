import { listMails, MAIL_STATES, type MailRow } from '@steward/server/src/platform/mail/mail-log.ts';
import { z } from 'zod';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';

const SHOWN = 100;
const SHOWN_MAX = 10_000;

export const mails: Command = {
  summary: 'List emails by state: sent, queued or failed',
  notes: [
    'Newest first. Sent emails are listed for a week, failed ones for a month; their content is not stored.',
    'An email stays queued (state: waiting) while the mail server defers it or is unreachable, for about a day. --state failed\n' +
      'lists both what was given up and what fails now: with the last error, how often it failed, and until when it is retried.',
  ],
  options: {
    state: { value: 'state', help: `Only this state: ${MAIL_STATES.join(', ')}` },
    limit: { value: 'N', help: `Maximum number to list (default ${SHOWN})` },
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
          describeError(mail),
        ]
          .filter(Boolean)
          .join('  '),
      );
      return { result: { mails: records }, lines: lines.length > 0 ? lines : ['No emails.'] };
    };
  },
};

function describeError({ attempts, error, retried_until }: MailRow): string {
  if (error === '') return '';
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (retried_until === null) return `(given up after ${times}: ${error})`;
  return `(${times} failed, retried until about ${new Date(retried_until).toISOString()}: ${error})`;
}
