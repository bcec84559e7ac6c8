import { isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { listManagers } from '#workspace/users/managers.store.ts';
import { findActiveRoles } from '#workspace/users/members.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { managersNoticeMail, type Notice } from './managers-notice.mail.ts';
import { emailUsers } from './send-notice.job.ts';

export interface MailParts {
  jobs: Pick<Jobs, 'send' | 'sendUrgent' | 'sendMany'>;
  secrets: Secrets;
  env: Env;
}

/** Emails the active owners and admins of a team, within the transaction of the change. */
export async function notifyManagers(trx: Trx, parts: MailParts, notice: Notice): Promise<void> {
  const { teamId, actorId, kind, userIds = [] } = notice;
  const except = {
    except: [...(actorId === null ? [] : [actorId]), ...userIds],
    kind: kind === 'new_owner' ? undefined : kind,
  };
  const recipients = await listManagers(trx, teamId, except);
  if (recipients.length === 0) return;
  const text = managersNoticeMail(parts.env, { team: await getTeamName(trx, teamId), notice });
  await emailUsers(trx, parts, { recipients, email: { ...text, kind: `notices.${kind}`, teamId } });
}

interface NewManagers {
  teamId: string;
  actorId: string;
  userIds: readonly string[];
}

/** The most names in an email; the others are counted. */
const NAMES_MAX = 10;

/** One email for several new admins at once. */
export async function notifyNewAdmins(trx: Trx, parts: MailParts, added: NewManagers): Promise<void> {
  const { teamId, actorId, userIds } = added;
  if (userIds.length === 0) return;
  const actor = await findName(trx, actorId);
  const users = await findNames(trx, userIds);
  await notifyManagers(trx, parts, {
    teamId,
    actorId,
    userIds,
    kind: 'new_admin',
    subject: userIds.length === 1 ? 'new admin' : 'new admins',
    describe: (team) => `${actor} made ${users} ${userIds.length === 1 ? 'an admin' : 'admins'} of ${team}.`,
    action: { label: 'View users', path: '/users/users' },
  });
}

/** A job is about to make many users admins. */
export async function notifyManyNewAdmins(
  trx: Trx,
  parts: MailParts,
  { teamId, actorId, count }: { teamId: string; actorId: string; count: number },
): Promise<void> {
  const actor = await findName(trx, actorId);
  const users = count === 1 ? '1 user an admin' : `${count.toLocaleString('en-US')} users admins`;
  await notifyManagers(trx, parts, {
    teamId,
    actorId,
    kind: 'new_admin',
    subject: count === 1 ? 'new admin' : 'new admins',
    describe: (team) => `${actor} is making ${users} of ${team}.`,
    action: { label: 'View users', path: '/users/users' },
  });
}

export async function notifyNewOwner(trx: Trx, parts: MailParts, added: NewManagers): Promise<void> {
  const { teamId, actorId, userIds } = added;
  const actor = await findName(trx, actorId);
  const users = await findNames(trx, userIds);
  await notifyManagers(trx, parts, {
    teamId,
    actorId,
    userIds,
    kind: 'new_owner',
    subject: 'new owner',
    describe: (team) => `${actor} made ${users} an owner of ${team}.`,
    action: { label: 'View users', path: '/users/users' },
  });
}

/** Informs them about an invited admin or owner who accepted. */
export async function notifyJoined(
  trx: Trx,
  parts: MailParts,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  const roles = (await findActiveRoles(trx, teamId, userId)) ?? [];
  if (!isAdminOfTeam(roles)) return;
  const name = await findName(trx, userId);
  const isOwner = isOwnerOfTeam(roles);
  await notifyManagers(trx, parts, {
    teamId,
    actorId: userId,
    kind: isOwner ? 'new_owner' : 'new_admin',
    subject: isOwner ? 'new owner' : 'new admin',
    describe: (team) => `${name} accepted an invitation and is now an ${isOwner ? 'owner' : 'admin'} of ${team}.`,
    action: { label: 'View users', path: '/users/users' },
  });
}

async function findNames(trx: Trx, userIds: readonly string[]): Promise<string> {
  const shown = userIds.slice(0, NAMES_MAX);
  const names: string[] = [];
  for (const id of shown) names.push(await findName(trx, id));
  const others = userIds.length - shown.length;
  return new Intl.ListFormat('en-US').format([...names, ...(others > 0 ? [`${others} more`] : [])]);
}

/** The user chose the name, so it must not become a link. */
async function findName(trx: Trx, userId: string): Promise<string> {
  return defuseLinks(await findUserName(trx, userId));
}
