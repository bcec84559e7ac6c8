import type { Env } from '#platform/env.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

/** Tells an owner that another one entered a team with a second factor although it requires single sign-on. */
export function breakGlassMail(
  env: Env,
  { to, teamId, team, by, address }: { to: string; teamId: string; team: string; by: string; address: string },
): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: an owner signed in without single sign-on`,
    paragraphs: [
      `${defuseLinks(by)} signed in from ${address} with a second factor of ${env.PRODUCT_NAME}, although “${defuseLinks(team)}” requires single sign-on. Owners who are named under Sign-in Security can do this in case the identity provider doesn't work.`,
    ],
    action: { label: 'View the audit log', url: portalLink(env, { path: '/dashboard/audit_log', teamId }) },
    closing: "If this wasn't expected, ask them, and sign them out of all devices.",
  });
}
