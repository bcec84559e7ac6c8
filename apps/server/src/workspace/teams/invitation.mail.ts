import { INVITATION_HOURS } from '@steward/contract/api/limits';
import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { defuseLinks, letter } from '#workspace/mail/email-template.ts';

/** Invites somebody to a team; the link leads to giving a name and a password (design §7). */
export function invitationMail(env: Env, { to, team, token }: { to: string; team: string; token: string }): Mail {
  return letter(env, {
    to,
    subject: `You are invited to ${defuseLinks(team)} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      `You have been invited to join the team “${defuseLinks(team)}”. Give your name and choose a password to accept. The link works for ${INVITATION_HOURS} hours, once.`,
    ],
    action: { label: 'Accept the invitation', url: `${env.publicUrl}/signup_confirm?token=${token}` },
    closing: 'If you did not expect this, you can ignore it.',
  });
}

/** Tells a person with an account that they now belong to another team. */
export function welcomeMail(env: Env, { to, team }: { to: string; team: string }): Mail {
  return letter(env, {
    to,
    subject: `You now belong to ${defuseLinks(team)} on ${env.PRODUCT_NAME}`,
    paragraphs: [`You have been added to the team “${defuseLinks(team)}”. Sign in with the password you already have.`],
    action: { label: 'Sign in', url: `${env.publicUrl}/login` },
    closing: 'If you did not expect this, tell an owner of the team.',
  });
}
