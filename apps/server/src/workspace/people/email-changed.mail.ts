import type { Env } from '#platform/env.ts';
import { renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

/** Tells the former address that it isn't used anymore. */
export function emailChangedMail(env: Env, { to, email }: { to: string; email: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} email address was changed`,
    paragraphs: [`The email address of your account is now ${email}. Sign in with it from now on.`],
    closing: "If this wasn't you, tell a team owner now.",
  });
}
