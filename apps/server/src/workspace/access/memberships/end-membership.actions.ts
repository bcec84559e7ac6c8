import type { EndedAccess as Answer } from '@steward/contract/users/lifecycle';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { notifyUnlinked } from '#workspace/notices/notify-links.ts';
import { hasOtherOwner } from '#workspace/users/managers.store.ts';
import { listSharedAccounts, type MemberRow } from '#workspace/users/members.store.ts';
import { removeMembership, saveDeactivated } from '#workspace/users/memberships.store.ts';
import { describeDevice } from '../sessions/device.ts';
import { removeUserLinks } from '../sessions/links.store.ts';
import { endSessions, endSessionsForTeam, type LiveSession, sessionLimits } from '../sessions/sessions.store.ts';
import { stopTokens } from '../tokens.store.ts';

// The caller has locked the team, so that the second of two changes to its owners sees the first.

/** The member is locked. */
interface TeamMember {
  teamId: string;
  member: MemberRow;
}

const NOTHING_ENDED: EndedAccess = { revoked: 0, devices: [], links: 0, tokens: 0 };

export async function isLastOwner(trx: Trx, { teamId, member }: TeamMember): Promise<boolean> {
  const isActiveOwner = member.state === 'active' && isOwnerOfTeam(member.roles);
  return isActiveOwner && !(await hasOtherOwner(trx, teamId, member.id));
}

export async function deactivateMember(trx: Trx, deps: Deps, { teamId, member }: TeamMember): Promise<EndedAccess> {
  await saveDeactivated(trx, { teamId, userId: member.id, deactivated: true });
  return endAccess(trx, deps, { teamId, userId: member.id });
}

/**
 * Removes a member who accepted, with their channels. A deactivated one may use other teams again, so their sessions
 * stay.
 */
export async function removeMember(trx: Trx, deps: Deps, { teamId, member }: TeamMember): Promise<EndedAccess> {
  const ended = member.access_ended ? NOTHING_ENDED : await endAccess(trx, deps, { teamId, userId: member.id });
  await notifyUnlinked(trx, deps, { teamId, userIds: [member.id], reason: 'removed' });
  await leaveChannels(trx, teamId, member.id);
  await removeMembership(trx, teamId, member.id);
  return ended;
}

export type EndedAccess = Omit<Answer, 'status_code'>;

interface Accounts {
  teamId: string;
  userId: string | readonly string[];
}

/**
 * Ends the sessions and links of accounts that belong to this team alone. An account with other teams keeps its links, and
 * its sessions stop opening this team. Returns the sessions that were still active.
 */
export async function signOut(
  trx: Trx,
  { env }: Deps,
  { teamId, userId }: Accounts,
): Promise<{ sessions: LiveSession[]; links: number }> {
  const [users, limits] = [[userId].flat(), sessionLimits(env)];
  const shared = await listSharedAccounts(trx, teamId, users);
  const own = users.filter((id) => !shared.includes(id));
  const ended = await endSessions(trx, { userId: own }, limits);
  const endedHere = await endSessionsForTeam(trx, { teamId, userIds: shared }, limits);
  return { sessions: [...ended, ...endedHere], links: await removeUserLinks(trx, own) };
}

/** Ends the access of accounts that lost their membership, and the service tokens that they created in this team. */
export async function endAccess(trx: Trx, deps: Deps, { teamId, userId }: Accounts): Promise<EndedAccess> {
  const { sessions, links } = await signOut(trx, deps, { teamId, userId });
  const devices = sessions.map(({ user_agent, address, last_seen_at }) => ({
    device: describeDevice(user_agent),
    address,
    last_seen_at,
  }));
  const tokens = await stopTokens(trx, teamId, userId);
  return { revoked: devices.length, devices, links, tokens };
}
