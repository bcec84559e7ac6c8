import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import type { Env } from '#platform/env.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { defuseLinks, letter } from '#workspace/mail/email-template.ts';

interface Asked {
  to: string;
  team: string;
  /** How many people will be invited. */
  invitees: number;
  token: string;
}

/** Carries the link that makes the team (design §7). It is the same whether the address has an account or not. */
export function signUpMail(env: Env, { to, team, invitees, token }: Asked): Mail {
  const inviting = invitees === 0 ? '' : ` and invites ${invitees === 1 ? 'one person' : `${invitees} people`} to it`;
  return letter(env, {
    to,
    subject: `Confirm your team ${defuseLinks(team)} on ${env.PRODUCT_NAME}`,
    paragraphs: [
      `Somebody, hopefully you, asked for the team “${defuseLinks(team)}” with this address as its owner. Opening the link creates the team${inviting}. The link works for ${SIGNUP_HOURS} hours, once.`,
    ],
    action: { label: 'Create the team', url: `${env.publicUrl}/signup_confirm?token=${token}` },
    closing: 'If it was not you, ignore this mail and nothing will happen.',
  });
}
