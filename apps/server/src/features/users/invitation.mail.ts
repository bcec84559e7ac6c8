import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mailbox.ts';
import { letter } from '#workspace/letter.ts';

/** Invites somebody to a team; the link leads to choosing a first password. */
export function invitationMail(env: Env, { to, team, token }: { to: string; team: string; token: string }): Mail {
  return letter(env, {
    to,
    subject: `You are invited to ${team} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      `You have been invited to join the team “${team}”. Choose a password to accept. The link works for 48 hours, once.`,
    ],
    action: { label: 'Accept the invitation', url: `${env.publicUrl}/reset_password?token=${token}&invitation=1` },
    closing: 'If you did not expect this, you can ignore it.',
  });
}

/** Tells a person with an account that they now belong to another team. */
export function welcomeMail(env: Env, { to, team }: { to: string; team: string }): Mail {
  return letter(env, {
    to,
    subject: `You now belong to ${team} on ${env.PRODUCT_NAME}`,
    paragraphs: [`You have been added to the team “${team}”. Sign in with the password you already have.`],
    action: { label: 'Sign in', url: `${env.publicUrl}/login` },
    closing: 'If you did not expect this, tell an owner of the team.',
  });
}
