import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { defuseLinks, formatTime, renderEmail } from '#workspace/mail/email-template.ts';

interface Recipient {
  to: string;
  team: string;
  /** Name of the person who invites. */
  inviter: string;
}

interface InvitationLink {
  token: string;
  expiresAt: number;
  /** Zone of the team. */
  timeZone: string;
}

/** Invites someone to a team. The link leads to the form for name and password. */
export function invitationMail(env: Env, invitation: Recipient & InvitationLink): Mail {
  const { to, token, expiresAt, timeZone } = invitation;
  const [inviter, team] = [defuseLinks(invitation.inviter), defuseLinks(invitation.team)];
  return renderEmail(env, {
    to,
    subject: `${inviter} invited you to ${team} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      `${inviter} invited you to join the team “${team}” on ${env.PRODUCT_NAME}. To accept, enter your name and choose a password.`,
      `The link expires on ${formatTime(expiresAt, timeZone)} and can be used once.`,
    ],
    action: { label: 'Accept invitation', url: `${env.publicUrl}/signup_confirm?token=${token}` },
    closing: "If you weren't expecting this invitation, you can ignore this email.",
  });
}

/** Tells a person with an account that they were added to another team. */
export function welcomeMail(env: Env, added: Recipient): Mail {
  const [inviter, team] = [defuseLinks(added.inviter), defuseLinks(added.team)];
  return renderEmail(env, {
    to: added.to,
    subject: `You've been added to ${team} on ${env.PRODUCT_NAME}`,
    paragraphs: [`${inviter} added you to the team “${team}”. Sign in with the password you already have.`],
    action: { label: 'Sign in', url: `${env.publicUrl}/login` },
    closing: "If you weren't expecting this, contact an owner of the team.",
  });
}
