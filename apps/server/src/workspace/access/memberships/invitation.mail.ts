import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface Invitation {
  to: string;
  team: string;
  inviter: string;
  /** Anyone with the invitation link of the inviter may have entered the address. */
  isByLink: boolean;
  token: string;
  expiresAt: number;
  timeZone: string;
}

/**
 * The link leads to the form for name and password, or to the sign-in for an address with an account. The email is the
 * same, since it is written without that knowledge.
 */
export function invitationMail(env: Env, invitation: Invitation): Mail {
  const { to, isByLink, token, expiresAt, timeZone } = invitation;
  const [inviter, team] = [defuseLinks(invitation.inviter), defuseLinks(invitation.team)];
  return renderEmail(env, {
    to,
    subject: isByLink
      ? `Join ${team} on ${env.PRODUCT_NAME}`
      : `${inviter} invited you to ${team} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      isByLink
        ? `This address was entered to join the team “${team}” on ${env.PRODUCT_NAME} with an invitation link of ${inviter}.`
        : `${inviter} invited you to join the team “${team}” on ${env.PRODUCT_NAME}.`,
      'If you accept, admins of the team can see where you are signed in, sign you out, and send you a password reset. You can leave the team at any time.',
      `The invitation expires on ${formatTime(expiresAt, timeZone)} and can be used once.`,
    ],
    action: { label: 'Accept invitation', url: portalLink(env, { path: '/signup_confirm', token }) },
    closing: "If you weren't expecting this invitation, you can ignore this email.",
  });
}
