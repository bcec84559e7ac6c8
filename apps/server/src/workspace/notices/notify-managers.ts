import type { EmailKind } from '@steward/contract/account/preferences';
import type { Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { defuseLinks, type EmailText, renderText } from '#platform/mail/email-template.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { listManagers } from '#workspace/people/members/managers.store.ts';
import { getTeamName } from '#workspace/people/teams.store.ts';
import { emailPeople } from './send-notice.job.ts';

/** What queueing an email needs. */
export interface MailParts {
  jobs: Pick<Jobs, 'send' | 'sendMany'>;
  secrets: Secrets;
  env: Env;
}

/** Something that the owners and admins of a team should know. */
export interface Notice {
  teamId: string;
  /** The person who did it, who gets no email; null for the system and the operator. */
  actorId: string | null;
  /** The people it is about, who get no email either. */
  personIds?: readonly string[];
  /** Kind that people can switch off; `new_owner` is always sent. */
  kind: EmailKind | 'new_owner';
  /** Without the name of the team. */
  subject: string;
  describe: (team: string) => string;
  /** Path of the screen about it. */
  action: { label: string; path: string };
}

/** Emails the active owners and admins of a team, within the transaction of the change. */
export async function notifyManagers(trx: Trx, parts: MailParts, notice: Notice): Promise<void> {
  const { teamId, actorId, kind, personIds = [] } = notice;
  const except = {
    except: [...(actorId === null ? [] : [actorId]), ...personIds],
    kind: kind === 'new_owner' ? undefined : kind,
  };
  const recipients = await listManagers(trx, teamId, except);
  if (recipients.length === 0) return;
  const text = renderNotice(parts.env, { team: await getTeamName(trx, teamId), notice });
  await emailPeople(trx, parts, { recipients, email: { ...text, kind: `notices.${kind}`, teamId } });
}

const SWITCH_OFF = ' You can turn these emails off under My account.';

function renderNotice(env: Env, { team, notice }: { team: string; notice: Notice }): EmailText {
  const { kind, subject, action } = notice;
  return renderText(env, {
    subject: `${team}: ${subject}`,
    paragraphs: [notice.describe(`“${defuseLinks(team)}”`)],
    action: { label: action.label, url: `${env.publicUrl}${action.path}` },
    closing: `You're receiving this email because you're an owner or admin of this team.${kind === 'new_owner' ? '' : SWITCH_OFF}`,
  });
}
