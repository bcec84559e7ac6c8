import { ATTENTION_COUNT_MAX, type Attention, type AttentionKind } from '@steward/contract/home';
import type { IconName } from '#platform/page/icon.tsx';

/** How one thing is shown: its drawing and how grave it is; colour is never the only carrier. */
interface Shown {
  icon: IconName;
  tone: 'danger' | 'warning' | 'quiet';
}

export const SHOWN: Readonly<Record<AttentionKind, Shown>> = {
  integration_failing: { icon: 'plug', tone: 'danger' },
  retention_failed: { icon: 'archive', tone: 'danger' },
  retention_overdue: { icon: 'archive', tone: 'danger' },
  deliveries_failed: { icon: 'warning', tone: 'warning' },
  invitations_failed: { icon: 'mail', tone: 'warning' },
  mails_failed: { icon: 'mail', tone: 'warning' },
  mails_waiting: { icon: 'mail', tone: 'warning' },
  integration_warning: { icon: 'plug', tone: 'warning' },
  retention_waiting: { icon: 'clock', tone: 'quiet' },
  invitations_pending: { icon: 'people', tone: 'quiet' },
};

/** One of them, and several; `#` is the count. */
const SENTENCES: Readonly<Record<AttentionKind, readonly [string, string]>> = {
  integration_failing: ['The help desk connection does not work.', '# help desk connections do not work.'],
  retention_failed: [
    'The last run of a retention rule did not delete all that it should.',
    'The last runs of # retention rules did not delete all that they should.',
  ],
  retention_overdue: ['Retention is overdue: one rule has not run.', 'Retention is overdue: # rules have not run.'],
  deliveries_failed: [
    '1 delivery of the help desk could not be posted.',
    '# deliveries of the help desk could not be posted.',
  ],
  invitations_failed: ['1 invitation could not be delivered.', '# invitations could not be delivered.'],
  mails_failed: ['1 mail to an admin could not be delivered.', '# mails to admins could not be delivered.'],
  mails_waiting: ['1 mail has not been sent yet.', '# mails have not been sent yet.'],
  integration_warning: [
    'The help desk connection has something to look at.',
    '# help desk connections have something to look at.',
  ],
  retention_waiting: ['A retention rule begins to delete more.', '# retention rules begin to delete more.'],
  invitations_pending: [
    '1 person has not answered the invitation yet.',
    '# people have not answered their invitation yet.',
  ],
};

/** What it is, in a sentence. */
export function getSentence({ kind, count }: Attention): string {
  const [one, several] = SENTENCES[kind];
  if (count === 1) return one;
  return several.replace('#', count >= ATTENTION_COUNT_MAX ? `${ATTENTION_COUNT_MAX - 1}+` : String(count));
}

const FROM_MAIL_SERVER: readonly AttentionKind[] = ['mails_failed', 'mails_waiting'];

/** What else is known of it; where nobody can do anything here, who can. */
export function getQuotedText({ kind, text }: Attention): string | undefined {
  if (!FROM_MAIL_SERVER.includes(kind)) return text;
  const who = 'Ask whoever runs the server.';
  return text === undefined ? who : `${who} The mail server said: “${text}”.`;
}

/** Where it is dealt with; mails are in the hands of whoever runs the server. */
export function placeOf({ kind, count, text }: Attention): { to: string; search: { search?: string } } | undefined {
  switch (kind) {
    case 'integration_failing':
    case 'integration_warning':
    case 'deliveries_failed':
      return { to: '/dashboard/triggers', search: {} };
    case 'retention_failed':
    case 'retention_overdue':
    case 'retention_waiting':
      return { to: '/dashboard/team_settings/retention', search: {} };
    case 'invitations_failed':
    case 'invitations_pending':
      return { to: '/users/users', search: count === 1 && text !== undefined ? { search: text } : {} };
    case 'mails_failed':
    case 'mails_waiting':
      return undefined;
  }
}
