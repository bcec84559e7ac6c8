import type { Env } from '#platform/env.ts';
import { renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

/** Tells the person that the password was changed, and where they are still signed in (ASVS 6.3.7). */
export function passwordChangedMail(env: Env, to: string, signedOutOf: 'all devices' | 'all other devices'): Mail {
  return renderEmail(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} password was changed`,
    paragraphs: [`The password of your account was just changed, and you were signed out of ${signedOutOf}.`],
    closing: "If this wasn't you, reset your password now with “Forgot Password” and tell a team owner.",
  });
}
