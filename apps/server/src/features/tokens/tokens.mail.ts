import type { Env } from '#platform/env.ts';
import { defuseLinks, formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';
import { portalLink } from '#platform/mail/portal-link.ts';
import type { ExpiringToken, NarrowedToken } from '#workspace/access/tokens.store.ts';

/** Whom an email goes to, and the team it is about. */
interface MailTarget {
  to: string;
  teamId: string;
  team: string;
}

const OWNERS = "You're receiving this email because you're an owner of this team.";
const OWNERS_AND_CREATORS = "You're receiving this email because you're an owner of this team or created the token.";

function getAction(env: Env, teamId: string) {
  return { label: 'View service tokens', url: portalLink(env, { path: '/dashboard/service_tokens', teamId }) };
}

/** Tells an owner, or the user who created them, that tokens will expire. */
export function expiryMail(
  env: Env,
  { to, teamId, team, tokens, timeZone }: MailTarget & { tokens: readonly ExpiringToken[]; timeZone: string },
): Mail {
  const lines = tokens.map(({ name, expires_at }) => `“${defuseLinks(name)}”: ${formatTime(expires_at, timeZone)}`);
  return renderEmail(env, {
    to,
    subject: `${team}: service ${tokens.length === 1 ? 'token expires' : 'tokens expire'} soon`,
    paragraphs: [
      `These service tokens of “${defuseLinks(team)}” expire at the times shown. After that, their services can't import content.`,
      ...lines,
      'Replace a token before it expires. The old and the new one both work for 24 hours.',
    ],
    action: getAction(env, teamId),
    closing: OWNERS_AND_CREATORS,
  });
}

/** Tells an owner which rights existing tokens got. */
export function narrowedMail(
  env: Env,
  { to, teamId, team, tokens }: MailTarget & { tokens: readonly NarrowedToken[] },
): Mail {
  return renderEmail(env, {
    to,
    subject: `${team}: service tokens now have limited rights`,
    paragraphs: [
      `Each service token of “${defuseLinks(team)}” now lists what it may import, and expires in a year. Tokens that were used in the last 30 days can go on as before; create a new token for anything else.`,
      ...tokens.map(describeRights),
    ],
    action: getAction(env, teamId),
    closing: OWNERS,
  });
}

function describeRights({ name, kinds, speak_for_users }: NarrowedToken): string {
  const label = `“${defuseLinks(name)}”`;
  if (kinds.length === 0) return `${label} wasn't used and can no longer import anything.`;
  const list = kinds.map((kind) => kind.replace('_', ' ')).join(', ');
  return `${label}: ${list}${speak_for_users ? ', also for users' : ', never for users'}.`;
}
