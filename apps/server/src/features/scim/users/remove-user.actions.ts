import { refuse } from '#platform/http/errors.ts';
import { isLastOwner, removeMember } from '#workspace/access/memberships/end-membership.actions.ts';
import { removeProvisionedUser } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';
import type { Provisioning } from '../provisioning.ts';
import { describeEnded, toDetails } from './suspend.actions.ts';
import type { UserRow } from './users.store.ts';

const NOTHING_ENDED = { sessions: 0, links: 0, tokens: 0, before: [] };

/** Also deletes the attributes that the identity provider has sent. */
export async function removeUser(provisioning: Provisioning, row: UserRow): Promise<void> {
  const { trx, deps, teamId, tokenId, audit, note } = provisioning;
  const member = row.person_id === null ? undefined : await findMember(trx, teamId, row.person_id);
  const event = { action: 'scim.user_removed', teamId, actorId: null, target: row.person_id ?? row.id } as const;
  if (member === undefined || member.state === 'invited') {
    if (member) await removeMembership(trx, teamId, member.id);
    await removeProvisionedUser(trx, teamId, row.id);
    note(member ? `Canceled the invitation of ${row.user_name}.` : `Removed ${row.user_name}, who was inactive.`);
    return audit({ ...event, details: { scim_token_id: tokenId, ...NOTHING_ENDED } });
  }
  if (await isLastOwner(trx, { teamId, member })) refuse('scim.last_owner');
  const ended = await removeMember(trx, deps, { teamId, member });
  note(`Removed ${row.user_name} from the team, and ended ${describeEnded(ended)}.`);
  await audit({ ...event, details: { scim_token_id: tokenId, ...toDetails(ended) } });
}
