import type { Env } from '#platform/env.ts';
import { defuseLinks, formatDay, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface MemberMail {
  to: string;
  team: string;
  ends_on: string;
  timeZone: string;
  /** It is the last day. */
  isToday: boolean;
  /** Addresses of owners. */
  owners: readonly string[];
}

export function endingMail(env: Env, { to, team, ends_on, timeZone, isToday, owners }: MemberMail): Mail {
  const day = formatDay(ends_on);
  const whom = owners.length === 0 ? '' : `: ${new Intl.ListFormat('en', { type: 'disjunction' }).format(owners)}`;
  return renderEmail(env, {
    to,
    subject: isToday ? `Your access to ${team} ends today` : `Your access to ${team} ends on ${day}`,
    paragraphs: [
      `Your access to the team “${defuseLinks(team)}” ends when ${isToday ? `today, ${day},` : day} is over in its time zone, ${timeZone}.`,
      `If you need it for longer, ask an owner of the team${whom}.`,
    ],
    closing: "You're receiving this email because an admin of this team set an end date for your membership.",
  });
}

interface ListMail {
  to: string;
  teamId: string;
  team: string;
  /** The first ones. */
  leaving: readonly { name: string; ends_on: string }[];
  total: number;
}

/** The weekly list for an owner or admin who asked for it. */
export function leavingMail(env: Env, { to, teamId, team, leaving, total }: ListMail): Mail {
  const lines = leaving.map(({ name, ends_on }) => `${formatDay(ends_on)}: ${defuseLinks(name)}`);
  const others = total - leaving.length;
  return renderEmail(env, {
    to,
    subject: `${team}: ${total === 1 ? '1 person leaves' : `${total} people leave`} in the next 14 days`,
    paragraphs: [
      `In the next 14 days, access to “${defuseLinks(team)}” ends for ${total === 1 ? 'one person' : `${total} people`}:`,
      ...lines,
      ...(others > 0 ? [`And ${others} more.`] : []),
    ],
    action: { label: 'View users', url: portalLink(env, { path: '/users/users', teamId }) },
    closing: "You're receiving this email because you switched it on under My account.",
  });
}
