import { EMAIL_CHANGE_HOURS } from '@steward/contract/api/limits';
import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface EmailLink {
  to: string;
  /** The account whose address changes: its name, which may be '', and its present address. */
  name: string;
  current: string;
  token: string;
  expiresAt: number;
}

/** Anyone can enter any address, so the email says whose account gets it. */
export function confirmEmailMail(env: Env, { to, name, current, token, expiresAt }: EmailLink): Mail {
  const account = name === '' ? `the account ${current}` : `the account of ${defuseLinks(name)} (${current})`;
  return renderEmail(env, {
    to,
    subject: `Confirm your new email address for ${env.PRODUCT_NAME}`,
    paragraphs: [
      `We received a request to change the email address of ${account} on ${env.PRODUCT_NAME} to ${to}. To confirm it, sign in to that account with its present address. The link expires in ${EMAIL_CHANGE_HOURS} hours, on ${formatTime(expiresAt)}, and can be used once.`,
    ],
    action: { label: 'Confirm this address', url: portalLink(env, { path: '/confirm_email', token }) },
    closing: "If this isn't your account, ignore this email. Nothing has changed.",
  });
}

/** This email goes to the owner of an address that someone else entered. */
export function emailTakenMail(env: Env, to: string): Mail {
  return renderEmail(env, {
    to,
    subject: `Your address was entered for another ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `Someone with another account on ${env.PRODUCT_NAME} asked to use ${to}. This address already belongs to your account, so nothing has changed.`,
    ],
    closing: 'If this was you, sign in with this address instead. Otherwise you can ignore this email.',
  });
}

/** This email goes to the current address, which still works. */
export function emailRequestedMail(env: Env, { to, email }: { to: string; email: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `Request to change your ${env.PRODUCT_NAME} email address`,
    paragraphs: [
      `We received a request to change the email address of your account to ${email}. It changes when the link that we sent there is used. Until then, this address works.`,
    ],
    closing: "If this wasn't you, change your password now. That also ends the link.",
  });
}
