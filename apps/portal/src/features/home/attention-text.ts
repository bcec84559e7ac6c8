import { ENDING_SOON_DAYS } from '@steward/contract/api/limits';
import { ATTENTION_COUNT_MAX, type Attention, type AttentionKind } from '@steward/contract/home';
import type { IconName } from '#platform/page/icon.tsx';
import { formatDay } from '#platform/time/format.ts';

/** Color is never the only signal. */
interface Appearance {
  icon: IconName;
  tone: 'danger' | 'warning' | 'quiet';
}

export const APPEARANCE: Readonly<Record<AttentionKind, Appearance>> = {
  integration_failing: { icon: 'plug', tone: 'danger' },
  retention_failed: { icon: 'archive', tone: 'danger' },
  retention_overdue: { icon: 'archive', tone: 'danger' },
  deliveries_failed: { icon: 'warning', tone: 'warning' },
  invitations_failed: { icon: 'mail', tone: 'warning' },
  mails_failed: { icon: 'mail', tone: 'warning' },
  mails_waiting: { icon: 'mail', tone: 'warning' },
  inactivity_asks: { icon: 'people', tone: 'warning' },
  inactivity_paused: { icon: 'clock', tone: 'warning' },
  connection_silent: { icon: 'plug', tone: 'warning' },
  connection_failing: { icon: 'plug', tone: 'warning' },
  rehearsal_failed: { icon: 'warning', tone: 'warning' },
  order_refused: { icon: 'archive', tone: 'warning' },
  order_incomplete: { icon: 'archive', tone: 'warning' },
  connected_users_ended: { icon: 'people', tone: 'warning' },
  connection_waiting: { icon: 'plug', tone: 'quiet' },
  integration_warning: { icon: 'plug', tone: 'warning' },
  retention_waiting: { icon: 'clock', tone: 'quiet' },
  members_leaving: { icon: 'clock', tone: 'quiet' },
  invitations_pending: { icon: 'people', tone: 'quiet' },
};

/** The first text is for one item, the second for several; `#` is the count. */
const HEADLINES: Readonly<Record<AttentionKind, readonly [string, string]>> = {
  integration_failing: ['An integration failed', '# integrations failed'],
  retention_failed: [
    'The last retention run couldn’t delete some items',
    'The last runs of # retention rules couldn’t delete some items',
  ],
  retention_overdue: ['1 retention rule hasn’t run', '# retention rules haven’t run'],
  deliveries_failed: [
    '1 message of an integration couldn’t be posted',
    '# messages of integrations couldn’t be posted',
  ],
  invitations_failed: ['1 invitation couldn’t be delivered', '# invitations couldn’t be delivered'],
  mails_failed: ['1 email to an admin couldn’t be delivered', '# emails to admins couldn’t be delivered'],
  mails_waiting: ['1 email is waiting to be sent', '# emails are waiting to be sent'],
  inactivity_asks: [
    'The inactivity rule would touch 1 member, and waits for an owner',
    'The inactivity rule would touch # members, and waits for an owner',
  ],
  inactivity_paused: ['The inactivity rule was paused last night', 'The inactivity rule was paused for # nights'],
  connection_silent: [
    'The bridge of a connected server has stopped reporting',
    'The bridges of # connected servers have stopped reporting',
  ],
  connection_failing: [
    'A check of a connected server failed, so nothing is deleted there',
    'Checks of # connected servers failed, so nothing is deleted there',
  ],
  rehearsal_failed: [
    'The rehearsal of a deletion on a connected server failed',
    'The rehearsals of deletions on # connected servers failed',
  ],
  order_refused: [
    'A deletion on a connected server was refused, because it named too many messages',
    'Deletions on # connected servers were refused, because they named too many messages',
  ],
  order_incomplete: [
    '1 message on a connected server couldn’t be deleted completely',
    '# messages on connected servers couldn’t be deleted completely',
  ],
  connected_users_ended: [
    '1 person whose access ended should be removed on a connected server',
    '# people whose access ended should be removed on connected servers',
  ],
  connection_waiting: [
    'A connected server waits for an owner to accept it',
    '# connected servers wait for an owner to accept them',
  ],
  integration_warning: ['An integration has a warning', '# integrations have warnings'],
  retention_waiting: ['A stricter retention rule takes effect soon', '# stricter retention rules take effect soon'],
  members_leaving: [
    `1 person leaves in the next ${ENDING_SOON_DAYS} days`,
    `# people leave in the next ${ENDING_SOON_DAYS} days`,
  ],
  invitations_pending: ['1 invitation is pending', '# invitations are pending'],
};

export function getHeadline({ kind, count }: Attention): string {
  const [one, several] = HEADLINES[kind];
  if (count === 1) return one;
  return several.replace('#', count >= ATTENTION_COUNT_MAX ? `${ATTENTION_COUNT_MAX - 1}+` : String(count));
}

const EMAIL_KINDS: readonly AttentionKind[] = ['mails_failed', 'mails_waiting'];

/** The text also says who can help if the admin can't. */
export function getDetail({ kind, text }: Attention): string | undefined {
  if (kind === 'members_leaving') return text === undefined ? undefined : `The first on ${formatDay(text)}`;
  if (kind === 'inactivity_paused') return 'Its source has not reported any activity for a day.';
  if (!EMAIL_KINDS.includes(kind)) return text;
  const who = 'Contact your system administrator.';
  return text === undefined ? who : `${who} The mail server replied: “${text}”.`;
}

/** The link leads to the screen that fixes the problem, filtered if the screen has filters. Only the system administrator can fix email. */
export function getLink({
  kind,
  count,
  text,
}: Attention): { to: string; search: { search?: string; ending_days?: number; sort?: 'end'; ended?: 1 } } | undefined {
  switch (kind) {
    case 'integration_failing':
    case 'integration_warning':
    case 'deliveries_failed':
      return { to: '/dashboard/triggers', search: {} };
    case 'retention_failed':
    case 'retention_overdue':
    case 'retention_waiting':
      return { to: '/dashboard/team_settings/retention', search: {} };
    case 'connection_silent':
    case 'connection_failing':
    case 'rehearsal_failed':
    case 'order_refused':
    case 'order_incomplete':
    case 'connection_waiting':
      return { to: '/dashboard/team_settings/connected_server', search: {} };
    case 'connected_users_ended':
      return { to: '/users/connected_users', search: { ended: 1 } };
    case 'inactivity_asks':
    case 'inactivity_paused':
      return { to: '/users/inactivity', search: {} };
    case 'members_leaving':
      return { to: '/users/users', search: { ending_days: ENDING_SOON_DAYS, sort: 'end' } };
    case 'invitations_failed':
    case 'invitations_pending':
      return { to: '/users/users', search: count === 1 && text !== undefined ? { search: text } : {} };
    case 'mails_failed':
    case 'mails_waiting':
      return undefined;
  }
}

const DAY_MS = 86_400_000;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const TIME = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const RELATIVE_DAY = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** The time is in the viewer's time zone, with a name for a nearby day. Both inputs are in milliseconds since 1970. */
export function formatRelativeDay(at: number, now: number): string {
  const days = Math.round((toUtcDay(at) - toUtcDay(now)) / DAY_MS);
  const day = Math.abs(days) <= 1 ? RELATIVE_DAY.format(days, 'day') : DAY.format(at);
  return `${day}, ${TIME.format(at)}`;
}

/** Days are compared in UTC, where each has 24 hours despite daylight saving time. */
function toUtcDay(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
