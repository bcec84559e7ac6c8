import type { Env } from '#platform/env.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

export type FactorKind = 'totp' | 'passkey';

const WORDS: Readonly<Record<FactorKind, string>> = { totp: 'An authenticator app', passkey: 'A passkey' };

export function factorChangedMail(
  env: Env,
  { to, factor, isAdded }: { to: string; factor: FactorKind; isAdded: boolean },
): Mail {
  const change = isAdded ? 'added to' : 'removed from';
  return renderEmail(env, {
    to,
    subject: `${WORDS[factor]} was ${change} your ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `${WORDS[factor]} was ${change} your account. ${isAdded ? 'You can use it when you sign in.' : 'It can no longer be used to sign in.'}`,
    ],
    action: { label: 'View your account', url: portalLink(env, { path: '/account' }) },
    closing: "If this wasn't you, change your password now and tell a team owner.",
  });
}

export function recoveryCodesRenewedMail(env: Env, to: string): Mail {
  return renderEmail(env, {
    to,
    subject: `New recovery codes for your ${env.PRODUCT_NAME} account`,
    paragraphs: ['New recovery codes were created for your account. The earlier ones no longer work.'],
    action: { label: 'View your account', url: portalLink(env, { path: '/account' }) },
    closing: "If this wasn't you, change your password now and tell a team owner.",
  });
}

export function recoveryCodeUsedMail(env: Env, { to, left }: { to: string; left: number }): Mail {
  const rest = left === 1 ? '1 code is left.' : `${left} codes are left.`;
  return renderEmail(env, {
    to,
    subject: `A recovery code of your ${env.PRODUCT_NAME} account was used`,
    paragraphs: [`Someone signed in to your account, or confirmed a change, with a recovery code. ${rest}`],
    action: { label: 'View your account', url: portalLink(env, { path: '/account' }) },
    closing: "If this wasn't you, change your password now, replace your recovery codes and tell a team owner.",
  });
}

/** Tells the user that someone else removed all of their second factors. */
export function factorsResetMail(env: Env, { to, by }: { to: string; by: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `The second factors of your ${env.PRODUCT_NAME} account were removed`,
    paragraphs: [
      `${by} removed your authenticator app, passkeys and recovery codes, and you were signed out of all devices. Until you set up a second factor again, your password alone opens your account.`,
    ],
    action: { label: 'Sign in and set one up', url: portalLink(env, { path: '/account' }) },
    closing: "If you didn't ask for this, change your password now and tell a team owner.",
  });
}

/** Tells an owner that another one entered a team with a second factor although it requires single sign-on. */
export function breakGlassMail(
  env: Env,
  { to, teamId, team, by, address }: { to: string; teamId: string; team: string; by: string; address: string },
): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: an owner signed in without single sign-on`,
    paragraphs: [
      `${defuseLinks(by)} signed in from ${address} with a second factor of ${env.PRODUCT_NAME}, although “${defuseLinks(team)}” requires single sign-on. Owners who are named under Sign-in Security can do this in case the identity provider doesn't work.`,
    ],
    action: { label: 'View the audit log', url: portalLink(env, { path: '/dashboard/audit_log', teamId }) },
    closing: "If this wasn't expected, ask them, and sign them out of all devices.",
  });
}
