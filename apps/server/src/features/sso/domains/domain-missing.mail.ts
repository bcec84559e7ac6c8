import type { Env } from '#platform/env.ts';
import { renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

export function domainMissingMail(
  env: Env,
  { to, teamId, team, domain, isLost }: { to: string; teamId: string; team: string; domain: string; isLost: boolean },
): Mail {
  const what = isLost
    ? `The DNS record that verifies ${domain} for ${team} has been missing for three days. The domain is no longer verified: new users with an address of it can't join by single sign-on, and its users aren't sent to it when they sign in.`
    : `The DNS record that verifies ${domain} for ${team} is missing. If it isn't back within three days, the domain is no longer verified.`;
  return renderEmail(env, {
    to,
    subject: isLost ? `${domain} is no longer verified` : `The DNS record of ${domain} is missing`,
    paragraphs: [what, 'Users who have already signed in by single sign-on can still do so.'],
    action: { label: 'View domains', url: portalLink(env, { path: '/dashboard/team_settings/sso', teamId }) },
    closing: 'Add the record again as the page shows it, and verify the domain there.',
  });
}
