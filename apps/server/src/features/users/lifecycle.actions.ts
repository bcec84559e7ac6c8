import type { AuditDetails } from '@steward/contract/audit/details';
import type * as endpoints from '@steward/contract/users/lifecycle';
import { isOwnerOfTeam, toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { deactivateMember, isLastOwner, removeMember } from '#workspace/access/memberships/end-membership.actions.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import { notifyNewOwner } from '#workspace/notices/notify-managers.ts';
import { findToday, requireEndInRange, saveEndDates } from '#workspace/users/end-dates.actions.ts';
import { keepEnd } from '#workspace/users/end-dates.rules.ts';
import type { MemberRow } from '#workspace/users/members.store.ts';
import { saveDeactivated, saveRoles } from '#workspace/users/memberships.store.ts';
import { lockTeam, mayAdminsCreateTokens } from '#workspace/users/teams.store.ts';
import { cancelInvitation } from './invitations.actions.ts';
import { findTarget, type TargetInput } from './users.actions.ts';

const DONE = { status_code: 200 } as const;
const NOTHING_ENDED = { ...DONE, revoked: 0, devices: [], links: 0, tokens: 0 };

const OWNER = ['team_user', 'team_admin', 'team_owner'];

/** Actions that can leave a team without an owner, or depend on who owns it. */
type Action = 'deactivate' | 'reactivate' | 'remove' | 'make_owner' | 'remove_owner';

/**
 * Locks the team, so that the second of two such changes sees the result of the first.
 */
async function lockTarget(trx: Trx, input: TargetInput, action: Action): Promise<MemberRow> {
  await lockTeam(trx, input.teamId);
  return findTarget(trx, input, action);
}

async function requireOtherOwner(trx: Trx, teamId: string, member: MemberRow): Promise<void> {
  if (await isLastOwner(trx, { teamId, member })) refuse('users.last_owner');
}

/** Ends a member's access to the team; a repeated call changes nothing. */
export async function deactivateUser(
  trx: Trx,
  deps: Deps,
  input: TargetInput,
): Promise<Changed<typeof endpoints.deactivateUser>> {
  const { teamId, caller } = input;
  const member = await lockTarget(trx, input, 'deactivate');
  if (member.state === 'deactivated') return { answer: NOTHING_ENDED, audit: null };
  await requireOtherOwner(trx, teamId, member);
  const ended = await deactivateMember(trx, deps, { teamId, member });
  return {
    answer: { ...DONE, ...ended },
    audit: {
      action: 'users.deactivated',
      teamId,
      actorId: caller.userId,
      target: member.id,
      details: toDetails(ended),
    },
  };
}

/** Restores a deactivated member; a repeated call changes nothing. An end date that has passed is removed. */
export async function reactivateUser(
  trx: Trx,
  deps: Deps,
  input: TargetInput & { endsOn: string | null | undefined },
): Promise<Changed<typeof endpoints.reactivateUser>> {
  const { teamId, caller } = input;
  const member = await lockTarget(trx, input, 'reactivate');
  if (member.state === 'active') return { answer: DONE, audit: null };
  // The last day is over, and the job has yet to end earlier sessions and tokens.
  if (!member.access_ended) await deactivateMember(trx, deps, { teamId, member });
  await saveDeactivated(trx, { teamId, userId: member.id, deactivated: false });
  const details = await saveNewEnd(trx, teamId, { member, endsOn: input.endsOn });
  await applyGroupChannels(trx, teamId, [member.id]);
  return {
    answer: DONE,
    audit: { action: 'users.reactivated', teamId, actorId: caller.userId, target: member.id, details },
  };
}

/** Without a new end date, one that hasn't passed stays. */
async function saveNewEnd(
  trx: Trx,
  teamId: string,
  { member: { id, roles, ends_on }, endsOn }: { member: MemberRow; endsOn: string | null | undefined },
): Promise<AuditDetails<'users.reactivated'>> {
  const today = await findToday(trx, teamId);
  const wanted = endsOn === undefined ? keepEnd(ends_on, today) : endsOn;
  if (wanted === ends_on) return {};
  if (wanted !== null && isOwnerOfTeam(roles)) refuse('users.owner_has_no_end', 'Owners have no end date.');
  if (wanted !== null) await requireEndInRange(trx, teamId, wanted);
  await saveEndDates(trx, teamId, [{ id, ends_on: wanted }]);
  return { before: { ends_on }, after: { ends_on: wanted } };
}

/** Removes a member from the team, or cancels an invitation. */
export async function removeUser(
  trx: Trx,
  deps: Deps,
  input: TargetInput,
): Promise<Changed<typeof endpoints.removeUser>> {
  const { teamId, caller } = input;
  const member = await lockTarget(trx, input, 'remove');
  if (member.state === 'invited') {
    const { audit } = await cancelInvitation(trx, input);
    return { answer: NOTHING_ENDED, audit };
  }
  await requireOtherOwner(trx, teamId, member);
  const ended = await removeMember(trx, deps, { teamId, member });
  return {
    answer: { ...DONE, ...ended },
    audit: { action: 'users.removed', teamId, actorId: caller.userId, target: member.id, details: toDetails(ended) },
  };
}

/** Makes a member an owner, or an owner an admin. A repeated call changes nothing. */
export async function setOwner(
  trx: Trx,
  deps: Deps,
  input: TargetInput & { owner: boolean },
): Promise<Changed<typeof endpoints.setOwner>> {
  const { teamId, caller, owner } = input;
  const member = await lockTarget(trx, input, owner ? 'make_owner' : 'remove_owner');
  const { id: target, roles } = member;
  if (isOwnerOfTeam(roles) === owner) return { answer: DONE, audit: null };
  if (!owner) await requireOtherOwner(trx, teamId, member);
  // Removing the date along with it would let someone stay forever whom nobody meant to.
  if (owner && member.ends_on !== null) refuse('users.owner_has_no_end');
  await saveRoles(trx, { teamId, userId: target, roles: owner ? OWNER : toRoles(1) });
  // A user who may no longer create tokens loses theirs.
  if (!owner && !(await mayAdminsCreateTokens(trx, teamId))) await stopTokens(trx, teamId, target);
  const event = { teamId, actorId: caller.userId, target };
  if (owner) await notifyNewOwner(trx, deps, { ...event, userIds: [target] });
  return { answer: DONE, audit: { action: owner ? 'users.owner_added' : 'users.owner_removed', ...event } };
}

function toDetails({ revoked, devices, links, tokens }: Omit<endpoints.EndedAccess, 'status_code'>) {
  return { sessions: revoked, links, tokens, before: devices };
}
