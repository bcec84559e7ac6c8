import type { Env } from '#platform/env.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface Named {
  name: string;
  email: string;
}

/** Tells an owner who can enter the team without the single sign-on that it may require. */
export function namedOwnersMail(
  env: Env,
  { to, teamId, team, by, named }: { to: string; teamId: string; team: string; by: string; named: readonly Named[] },
): Mail {
  const list = named.map(({ name, email }) => defuseLinks(name === email ? email : `${name} (${email})`)).join(', ');
  return renderEmail(env, {
    to,
    subject: `${team}: who can enter without single sign-on has changed`,
    paragraphs: [
      `${defuseLinks(by)} changed which owners of “${defuseLinks(team)}” can enter with a second factor of ${env.PRODUCT_NAME} when the team requires single sign-on.`,
      list === '' ? 'Nobody is named now.' : `Named now: ${list}.`,
    ],
    action: {
      label: 'View sign-in security',
      url: portalLink(env, { path: '/dashboard/team_settings/security', teamId }),
    },
    closing: "If this wasn't expected, ask them, and check the audit log.",
  });
}
