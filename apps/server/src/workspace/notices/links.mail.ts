import type { Env } from '#platform/env.ts';
import { defuseLinks, type EmailText, renderText } from '#platform/mail/email-template.ts';
import { portalLink } from '#platform/mail/portal-link.ts';

interface Linked {
  team: string;
  provider: string;
  /** The address of the user there; '' if the provider sent none. */
  user: string;
}

export function linkedMail(env: Env, { team, provider, user }: Linked): EmailText {
  return renderText(env, {
    subject: `Single sign-on was linked to your ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `Your account was linked to ${user || 'a user'} at ${defuseLinks(provider)}, the identity provider of the team “${defuseLinks(team)}”. Whoever signs in there as this user opens this team with your account.`,
    ],
    action: { label: 'View your account', url: portalLink(env, { path: '/account' }) },
    closing:
      "If this wasn't you, change your password now, which signs you out everywhere else, and tell a team owner.",
  });
}

/** The name of the team goes between both parts. */
const REASONS = {
  unlinked: [
    'An owner of the team',
    "removed the link between your account and the team's identity provider, and you were signed out wherever you had signed in with it. Signing in with it again may link your account again.",
  ],
  removed: [
    'You no longer belong to the team',
    'so the link between your account and its identity provider was removed.',
  ],
  left: ['You left the team', 'so the link between your account and its identity provider was removed.'],
  connection: [
    'An owner of the team',
    'removed or replaced its identity provider. That removed the link between your account and the provider, and you were signed out wherever you had signed in with it.',
  ],
} as const;

export type UnlinkReason = keyof typeof REASONS;

export function unlinkedMail(env: Env, { team, reason }: { team: string; reason: UnlinkReason }): EmailText {
  const [start, end] = REASONS[reason];
  const comma = reason === 'removed' || reason === 'left' ? ',' : '';
  return renderText(env, {
    subject: `Single sign-on was removed from your ${env.PRODUCT_NAME} account`,
    paragraphs: [`${start} “${defuseLinks(team)}”${comma} ${end}`],
    action: { label: 'Sign in', url: portalLink(env, { path: '/login' }) },
    closing: "If you didn't expect this, tell a team owner.",
  });
}
