import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { letter } from '#workspace/mail/email-template.ts';

/** Carries the link for choosing a new password (design §11). */
export function passwordResetMail(env: Env, { to, token }: { to: string; token: string }): Mail {
  return letter(env, {
    to,
    subject: `Choose a new ${env.PRODUCT_NAME} password`,
    paragraphs: [
      'Somebody, hopefully you, asked for a new password for this address. The link works for 60 minutes, once.',
    ],
    action: { label: 'Choose a new password', url: `${env.publicUrl}/reset_password?token=${token}` },
    closing: 'If it was not you, nothing has changed and you can ignore this mail.',
  });
}

/** Tells the person that the password was changed (ASVS 6.3.7). */
export function passwordChangedMail(env: Env, to: string): Mail {
  return letter(env, {
    to,
    subject: `Your ${env.PRODUCT_NAME} password was changed`,
    paragraphs: ['The password of your account was changed just now, and every session was signed out.'],
    closing: 'If it was not you, choose a new password at once with “Forgot Password” and tell an owner of your team.',
  });
}
