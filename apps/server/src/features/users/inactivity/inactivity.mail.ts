import type { Env } from '#platform/env.ts';
import { defuseLinks, formatDay, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface WarningMail {
  to: string;
  team: string;
  token: string;
  /** Days without activity. */
  days: number;
  /** The first night in which the member can be deactivated. */
  endsOn: string;
  isSecond: boolean;
}

/** Warns a member without activity. The link leads to a page with a button, since mail scanners open links. */
export function inactiveMail(env: Env, { to, team, token, days, endsOn, isSecond }: WarningMail): Mail {
  const day = formatDay(endsOn);
  const name = defuseLinks(team);
  return renderEmail(env, {
    to,
    subject: isSecond ? `Last warning: your access to ${team} ends on ${day}` : `Do you still need access to ${team}?`,
    paragraphs: [
      `No activity of yours has been seen in the team “${name}” for ${days} days.`,
      `Your access ends on ${day}, unless you use the team before then or say that you still need it. You don't have to sign in for that.`,
    ],
    action: { label: 'I still need access', url: portalLink(env, { path: '/still_needed', token }) },
    closing: "You're receiving this email because this team deactivates members who are inactive for a long time.",
  });
}

interface NightMail {
  to: string;
  teamId: string;
  team: string;
  night: string;
}

const plural = (count: number) => (count === 1 ? '1 member' : `${count.toLocaleString('en-US')} members`);

/** Tells an owner what a night did. */
export function nightMail(
  env: Env,
  {
    to,
    teamId,
    team,
    night,
    ...did
  }: NightMail & {
    warned: number;
    deactivated: number;
    /** Names of the first of them. */
    names: readonly string[];
    /** Warned members whose newest warning was not accepted by their mail server. */
    undelivered: number;
  },
): Mail {
  const { warned, deactivated, names, undelivered } = did;
  const others = deactivated - names.length;
  const parts = [
    ...(deactivated > 0 ? [`deactivated ${plural(deactivated)}`] : []),
    ...(warned > 0 ? [`warned ${plural(warned)}`] : []),
  ];
  return renderEmail(env, {
    to,
    subject: `${team}: the inactivity rule ${parts.join(' and ')}`,
    paragraphs: [
      `In the night of ${formatDay(night)}, the inactivity rule of “${defuseLinks(team)}” ${parts.join(' and ')}.`,
      ...(names.length > 0
        ? [`Deactivated: ${names.map(defuseLinks).join(', ')}${others > 0 ? `, and ${others} more` : ''}.`]
        : []),
      ...(undelivered > 0
        ? [`The warnings of ${plural(undelivered)} could not be delivered, so these members stay active.`]
        : []),
    ],
    action: { label: 'View inactivity', url: portalLink(env, { path: '/users/inactivity', teamId }) },
    closing:
      "You're receiving this email because you own this team. You can switch it off under My account, Email notifications.",
  });
}

/** Asks an owner to confirm a night that would touch many members. */
export function askMail(
  env: Env,
  { to, teamId, team, night, asked, members }: NightMail & { asked: number; members: number },
): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: confirm that ${plural(asked)} are warned or deactivated`,
    paragraphs: [
      `In the night of ${formatDay(night)}, the inactivity rule of “${defuseLinks(team)}” would have touched ${plural(asked)} of ${members.toLocaleString('en-US')}. That is more than 10 %, so nothing was done.`,
      'Look at the list and confirm it, or change the rule. Without an answer the next night asks again.',
    ],
    action: { label: 'View inactivity', url: portalLink(env, { path: '/users/inactivity', teamId }) },
    closing:
      "You're receiving this email because you own this team. You can switch it off under My account, Email notifications.",
  });
}
