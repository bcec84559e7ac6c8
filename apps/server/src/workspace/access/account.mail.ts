import type { Env } from '#platform/env.ts';
import { formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

export function newDeviceMail(
  env: Env,
  { to, device, address, at }: { to: string; device: string; address: string; at: number },
): Mail {
  return renderEmail(env, {
    to,
    subject: `New sign-in to your ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `Your account was signed in to with ${device} from ${address}, on ${formatTime(at)}. We haven't seen it there before.`,
    ],
    action: { label: 'View your sessions', url: portalLink(env, { path: '/account' }) },
    closing: "If this wasn't you, sign out that device under My account and change your password now.",
  });
}

export function emailChangedMail(env: Env, { to, email }: { to: string; email: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} email address was changed`,
    paragraphs: [`The email address of your account is now ${email}. Sign in with it from now on.`],
    closing: "If this wasn't you, tell a team owner now.",
  });
}

/** Names the devices that were signed out too (ASVS 6.3.7). */
export function passwordChangedMail(env: Env, to: string, signedOutOf: 'all devices' | 'all other devices'): Mail {
  return renderEmail(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} password was changed`,
    paragraphs: [`The password of your account was just changed, and you were signed out of ${signedOutOf}.`],
    closing: "If this wasn't you, reset your password now with “Forgot Password” and tell a team owner.",
  });
}
