import type * as endpoints from '@steward/contract/account/memberships';
import type { Answer } from '@steward/contract/api/endpoint';
import { isOwnerOfTeam, toAccountType } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opensTeam, type SignedIn } from '#workspace/access/enter-team.ts';
import { acceptInvitation, toAcceptedEvent } from '#workspace/access/memberships/invitations.actions.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { notifyLinked, notifyUnlinked } from '#workspace/notices/notify-links.ts';
import { notifyJoined } from '#workspace/notices/notify-managers.ts';
import { barAddress } from '#workspace/users/invitation-links.store.ts';
import { hasOtherOwner } from '#workspace/users/managers.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { listInvitations, lockInvitation, removeMembership } from '#workspace/users/memberships.store.ts';
import { getTeamName, lockTeam } from '#workspace/users/teams.store.ts';
import { findEmail, findNameInTeam } from '#workspace/users/users.store.ts';

const DONE = { status_code: 200 } as const;

interface TeamInput {
  teamId: string;
  who: SignedIn;
}

export async function listOwnInvitations(
  deps: Deps,
  who: SignedIn,
): Promise<Answer<typeof endpoints.listOwnInvitations>> {
  const all = await listInvitations(deps.db, await findEmail(deps.db, who.userId));
  const rows = all.filter(({ team_id }) => opensTeam(who, team_id));
  const records = await Promise.all(
    rows.map(async ({ team_id, roles, invited_by, invited_at }) => ({
      team_id,
      team_name: await getTeamName(deps.db, team_id),
      invited_by: invited_by === null ? '' : await findNameInTeam(deps.db, team_id, invited_by),
      invited_at,
      account_type: toAccountType(roles),
    })),
  );
  return { records };
}

/** If several answers arrive concurrently, the first one counts. */
export async function answerInvitation(
  trx: Trx,
  deps: Deps,
  { teamId, who, accept }: TeamInput & { accept: boolean },
): Promise<Changed<typeof endpoints.answerInvitation>> {
  if (!opensTeam(who, teamId)) refuse('record.not_found');
  const { userId } = who;
  const email = await findEmail(trx, userId);
  if (accept) {
    const accepted = await acceptInvitation(trx, deps, { teamId, userId, email });
    if (accepted === undefined) refuse('record.not_found');
    await notifyJoined(trx, deps, { teamId, userId });
    // The provider may have named the invited user before.
    await notifyLinked(trx, deps, { teamId, userId });
    return { answer: DONE, audit: toAcceptedEvent(teamId, userId, accepted) };
  }
  const invitation = await lockInvitation(trx, teamId, email);
  if (!invitation) refuse('record.not_found');
  await removeMembership(trx, teamId, invitation.id);
  await barAddress(trx, deps.secrets, { teamId, email });
  // The actor is the system: the team never learns which account, if any, an invitation led to.
  return {
    answer: DONE,
    audit: { action: 'users.invitation_declined', teamId, actorId: null, target: invitation.id },
  };
}

/** Leaving a team ends channel memberships; content and sessions stay. */
export async function leaveTeam(
  trx: Trx,
  deps: Deps,
  { teamId, who }: TeamInput,
): Promise<Changed<typeof endpoints.leaveTeam>> {
  if (!opensTeam(who, teamId)) refuse('record.not_found');
  const { userId } = who;
  await lockTeam(trx, teamId);
  const member = await findMember(trx, teamId, userId);
  if (member?.state !== 'active') refuse('record.not_found');
  if (isOwnerOfTeam(member.roles) && !(await hasOtherOwner(trx, teamId, userId))) refuse('users.last_owner');
  const tokens = await stopTokens(trx, teamId, userId);
  await notifyUnlinked(trx, deps, { teamId, userIds: [userId], reason: 'left' });
  await leaveChannels(trx, teamId, userId);
  await removeMembership(trx, teamId, userId);
  const event = { action: 'users.left', teamId, actorId: userId, target: userId } as const;
  return { answer: DONE, audit: { ...event, details: { tokens } } };
}
