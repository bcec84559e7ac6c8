import type { EndedAccess as Answer } from '@steward/contract/users/lifecycle';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { hasOtherOwner } from '#workspace/people/managers.store.ts';
import { type MemberRow, removeMembership, saveDeactivated } from '#workspace/people/memberships.store.ts';
import { describeDevice } from '../sessions/device.ts';
import { removePersonLinks } from '../sessions/links.store.ts';
import { endSessions, sessionLimits } from '../sessions/sessions.store.ts';
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
  await saveDeactivated(trx, { teamId, personId: member.id, deactivated: true });
  return endAccess(trx, deps, { teamId, personId: member.id });
}

/**
 * Removes a member who accepted, with their channels. A deactivated one may use other teams again, so their sessions
 * stay.
 */
export async function removeMember(trx: Trx, deps: Deps, { teamId, member }: TeamMember): Promise<EndedAccess> {
  const ended = member.state === 'active' ? await endAccess(trx, deps, { teamId, personId: member.id }) : NOTHING_ENDED;
  await leaveChannels(trx, teamId, member.id);
  await removeMembership(trx, teamId, member.id);
  return ended;
}

export type EndedAccess = Omit<Answer, 'status_code'>;

/**
 * Ends every session and link of an account, or of several, that lost a membership, and the service tokens that they
 * created in this team. Tokens and invitations of other teams stay.
 */
export async function endAccess(
  trx: Trx,
  { env }: Deps,
  { teamId, personId }: { teamId: string; personId: string | readonly string[] },
): Promise<EndedAccess> {
  const ended = await endSessions(trx, { personId }, sessionLimits(env));
  const devices = ended.map(({ user_agent, address, last_seen_at }) => ({
    device: describeDevice(user_agent),
    address,
    last_seen_at,
  }));
  const links = await removePersonLinks(trx, personId);
  const tokens = await stopTokens(trx, teamId, personId);
  return { revoked: devices.length, devices, links, tokens };
}
