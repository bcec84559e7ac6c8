import type { Env } from '#platform/env.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

export function linkRemovedMail(env: Env, { to, team }: { to: string; team: string }): Mail {
  return renderEmail(env, {
    to,
    subject: `Single sign-on was removed from your ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `An owner of the team “${defuseLinks(team)}” removed the link between your account and the team's identity provider, and you were signed out wherever you had signed in with it.`,
      'Signing in with it again may link your account again.',
    ],
    action: { label: 'Sign in', url: `${env.publicUrl}/login` },
    closing: "If you didn't expect this, tell a team owner.",
  });
}
