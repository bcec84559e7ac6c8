import type { EmailKind } from '@steward/contract/account/preferences';
import type { Env } from '#platform/env.ts';
import { defuseLinks, type EmailText, renderText } from '#platform/mail/email-template.ts';
import { portalLink, type TeamPath } from '#platform/mail/portal-link.ts';

export interface Notice {
  teamId: string;
  /** The user who did it, who gets no email; null for the system and the operator. */
  actorId: string | null;
  /** The users it is about, who get no email either. */
  userIds?: readonly string[];
  /** A kind that users can switch off; `new_owner` is always sent. */
  kind: EmailKind | 'new_owner';
  /** Without the name of the team. */
  subject: string;
  describe: (team: string) => string;
  action: { label: string; path: TeamPath };
}

const SWITCH_OFF = ' You can turn these emails off under My account.';

export function managersNoticeMail(env: Env, { team, notice }: { team: string; notice: Notice }): EmailText {
  const { teamId, kind, subject, action } = notice;
  return renderText(env, {
    subject: `${team}: ${subject}`,
    paragraphs: [notice.describe(`“${defuseLinks(team)}”`)],
    action: { label: action.label, url: portalLink(env, { path: action.path, teamId }) },
    closing: `You're receiving this email because you're an owner or admin of this team.${kind === 'new_owner' ? '' : SWITCH_OFF}`,
  });
}
