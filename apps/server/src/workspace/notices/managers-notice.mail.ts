import type { EmailKind } from '@steward/contract/account/preferences';
import type { Env } from '#platform/env.ts';
import { defuseLinks, type EmailText, renderText } from '#platform/mail/email-template.ts';

export interface Notice {
  teamId: string;
  /** The user who did it, who gets no email; null for the system and the operator. */
  actorId: string | null;
  /** The users it is about, who get no email either. */
  personIds?: readonly string[];
  /** A kind that users can switch off; `new_owner` is always sent. */
  kind: EmailKind | 'new_owner';
  /** Without the name of the team. */
  subject: string;
  describe: (team: string) => string;
  action: { label: string; path: string };
}

const SWITCH_OFF = ' You can turn these emails off under My account.';

export function managersNoticeMail(env: Env, { team, notice }: { team: string; notice: Notice }): EmailText {
  const { kind, subject, action } = notice;
  return renderText(env, {
    subject: `${team}: ${subject}`,
    paragraphs: [notice.describe(`“${defuseLinks(team)}”`)],
    action: { label: action.label, url: `${env.publicUrl}${action.path}` },
    closing: `You're receiving this email because you're an owner or admin of this team.${kind === 'new_owner' ? '' : SWITCH_OFF}`,
  });
}
