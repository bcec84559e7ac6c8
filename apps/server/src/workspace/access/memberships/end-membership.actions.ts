import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { hasOtherOwner } from '#workspace/people/members/managers.store.ts';
import { type MemberRow, removeMembership, saveDeactivated } from '#workspace/people/memberships.store.ts';
import { type EndedAccess, endAccess } from './end-access.ts';

// The caller has locked the team, so that of two changes to its owners the second sees what the first did.

/** A member, locked. */
interface TeamMember {
  teamId: string;
  member: MemberRow;
}

const NOTHING_ENDED: EndedAccess = { revoked: 0, devices: [], links: 0, tokens: 0 };

/** Whether the team would have no owner without this member. */
export async function isLastOwner(trx: Trx, { teamId, member }: TeamMember): Promise<boolean> {
  const isActiveOwner = member.state === 'active' && isOwnerOfTeam(member.roles);
  return isActiveOwner && !(await hasOtherOwner(trx, teamId, member.id));
}

/** Deactivates an active member and ends what they still hold. */
export async function deactivateMember(trx: Trx, deps: Deps, { teamId, member }: TeamMember): Promise<EndedAccess> {
  await saveDeactivated(trx, { teamId, personId: member.id, deactivated: true });
  return endAccess(trx, deps, { teamId, personId: member.id });
}

/** Removes a member who accepted, with their channels. A deactivated one may use other teams again: sessions there go on. */
export async function removeMember(trx: Trx, deps: Deps, { teamId, member }: TeamMember): Promise<EndedAccess> {
  const ended = member.state === 'active' ? await endAccess(trx, deps, { teamId, personId: member.id }) : NOTHING_ENDED;
  await leaveChannels(trx, teamId, member.id);
  await removeMembership(trx, teamId, member.id);
  return ended;
}
