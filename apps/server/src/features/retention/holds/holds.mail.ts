import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

interface Release {
  to: string;
  team: string;
  by: string;
  name: string;
  reason: string;
  endsAt: number;
  timeZone: string;
}

export function holdReleasedMail(env: Env, { to, team, by, name, reason, endsAt, timeZone }: Release): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: a legal hold was released`,
    paragraphs: [
      `${defuseLinks(by)} released the legal hold “${defuseLinks(name)}” of “${defuseLinks(team)}”. Reason: ${defuseLinks(reason)}`,
      `It ends on ${formatTime(endsAt, timeZone)}. From then on, retention rules delete what only this hold kept. To keep it, open the hold and save it before then.`,
    ],
    action: { label: 'View legal holds', url: `${env.publicUrl}/dashboard/team_settings/holds` },
    closing: "You're receiving this email because you're an owner of this team.",
  });
}
