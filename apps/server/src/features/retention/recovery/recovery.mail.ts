import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface Lowered {
  to: string;
  teamId: string;
  team: string;
  by: string;
  days: number;
  effectiveAt: number;
  timeZone: string;
}

export function recoveryLoweredMail(env: Env, { to, teamId, team, by, days, effectiveAt, timeZone }: Lowered): Mail {
  const at = formatTime(effectiveAt, timeZone);
  const after =
    days === 0
      ? `From ${at} on, content that a retention run deletes can't be restored.`
      : `From ${at} on, content that a retention run deletes can be restored for ${days === 1 ? '1 day' : `${days} days`}.`;
  return renderEmail(env, {
    to,
    subject: `${team}: deleted content can be restored for a shorter time`,
    paragraphs: [
      `${defuseLinks(by)} changed how long deleted content of “${defuseLinks(team)}” can be restored.`,
      `${after} What was deleted before stays restorable as long as it was. To cancel the change, save a higher number before then.`,
    ],
    action: { label: 'View retention', url: portalLink(env, { path: '/dashboard/team_settings/retention', teamId }) },
    closing: "You're receiving this email because you're an owner of this team.",
  });
}
