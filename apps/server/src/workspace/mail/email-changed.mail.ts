import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { renderEmail } from './email-template.ts';

/** Tells the former address that it isn't used anymore. */
export function emailChangedMail(env: Env, { to, email }: { to: string; email: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} email address was changed`,
    paragraphs: [`The email address of your account is now ${email}. Sign in with it from now on.`],
    closing: "If this wasn't you, tell a team owner now.",
  });
}
