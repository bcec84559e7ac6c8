import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface Release {
  to: string;
  teamId: string;
  team: string;
  by: string;
  name: string;
  reason: string;
  endsAt: number;
  timeZone: string;
}

export function holdReleasedMail(env: Env, { to, teamId, team, by, name, reason, endsAt, timeZone }: Release): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: a legal hold was released`,
    paragraphs: [
      `${defuseLinks(by)} released the legal hold “${defuseLinks(name)}” of “${defuseLinks(team)}”. Reason: ${defuseLinks(reason)}`,
      `It ends on ${formatTime(endsAt, timeZone)}. From then on, retention rules delete what only this hold kept. To keep it, open the hold and save it before then.`,
    ],
    action: { label: 'View legal holds', url: portalLink(env, { path: '/dashboard/team_settings/holds', teamId }) },
    closing: "You're receiving this email because you're an owner of this team.",
  });
}
