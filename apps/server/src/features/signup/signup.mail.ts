import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface SignUpLink {
  to: string;
  team: string;
  invitees: number;
  token: string;
  expiresAt: number;
  timeZone: string;
}

/** Carries the link that creates the team. It's the same whether the address has an account or not. */
export function signUpMail(env: Env, { to, team, invitees, token, expiresAt, timeZone }: SignUpLink): Mail {
  const name = defuseLinks(team);
  const inviting = invitees === 0 ? '' : ` and invite ${invitees === 1 ? '1 person' : `${invitees} people`}`;
  return renderEmail(env, {
    to,
    subject: `Confirm your team ${name} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      `Confirm this address to create the team “${name}”${inviting}. You'll be the team owner.`,
      `The link expires in ${SIGNUP_HOURS} hours, on ${formatTime(expiresAt, timeZone)}, and can be used once.`,
    ],
    action: { label: 'Create the team', url: portalLink(env, { path: '/signup_confirm', token }) },
    closing:
      "If you didn't request this, you can ignore this email. Nothing is created until the link is opened and you sign in or choose a password.",
  });
}
