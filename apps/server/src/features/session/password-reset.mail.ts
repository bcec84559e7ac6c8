import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';
import type { DeactivatedTeam } from '#workspace/access/accounts.store.ts';
import { describeDeactivation } from '#workspace/access/deactivated-account.actions.ts';

/** Carries the link for choosing a new password. */
export function passwordResetMail(
  env: Env,
  { to, token, expiresAt }: { to: string; token: string; expiresAt: number },
): Mail {
  return renderEmail(env, {
    to,
    subject: `Reset your ${env.PRODUCT_NAME} password`,
    paragraphs: [
      `We received a request to reset your password. The link expires in 60 minutes, on ${formatTime(expiresAt)}, and can be used once.`,
    ],
    action: { label: 'Choose a new password', url: portalLink(env, { path: '/reset_password', token }) },
    closing: "If you didn't request this, you can ignore this email. Your password hasn't changed.",
  });
}

/** Goes to a user who can't sign in, in place of the link. */
export function deactivatedMail(env: Env, { to, teams }: { to: string; teams: readonly DeactivatedTeam[] }): Mail {
  const { message } = describeDeactivation(teams, defuseLinks);
  return renderEmail(env, {
    to,
    subject: `You can't sign in to ${env.PRODUCT_NAME} at the moment`,
    paragraphs: ['We received a request to reset your password. A new password would not let you in.', message],
    closing: "If you didn't request this, you can ignore this email.",
  });
}
