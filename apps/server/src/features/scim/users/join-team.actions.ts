import { refuse } from '#platform/http/errors.ts';
import { inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import { joinFirstChannels } from '#workspace/channels/apply-groups.actions.ts';
import { findIdsByEmail } from '#workspace/users/members.store.ts';
import { addMembership } from '#workspace/users/memberships.store.ts';
import { addUser } from '#workspace/users/users.store.ts';
import { isProvedBy } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { getDomain, toAddress, type UserInput } from './user.ts';

export type Joining = 'created' | 'invited';

const MEMBER = ['team_user'];

/**
 * Adds a user who is not in the team. An address without an account in a verified domain of the team gets an account, which is
 * a member at once. Any other address is invited: an account that was there before joins only with its consent.
 */
export async function joinTeam(
  provisioning: Provisioning,
  user: UserInput,
): Promise<{ userId: string; joining: Joining }> {
  const { trx, deps, teamId, createdBy, note } = provisioning;
  const address = toAddress(user);
  const names = { first_name: user.givenName ?? '', last_name: user.familyName ?? '' };
  const isProved = await isProvedBy(trx, teamId, getDomain(address));
  const account = { email: address, ...names, password_hash: null, provisioned_by: teamId };
  const created = isProved ? await addUser(trx, account) : undefined;
  if (created !== undefined) {
    await addMembership(trx, { teamId, userId: created, roles: MEMBER });
    await joinFirstChannels(trx, created, teamId);
    note(`Created an account for ${address}.`);
    return { userId: created, joining: 'created' };
  }
  // A user who comes back may have joined by other means in the meantime.
  if ((await findIdsByEmail(trx, teamId, [address])).length > 0)
    refuse('scim.uniqueness', 'Another user of the team has this address.');
  const users = [{ email: address, ...names, roles: MEMBER }];
  const userId = (await inviteAddresses(trx, deps, { teamId, invitedBy: createdBy, users })).get(address);
  if (userId === undefined) refuse('scim.uniqueness', 'This address was just added to the team.');
  const reason = isProved ? 'there was an account before' : "the team hasn't verified the domain";
  note(`Invited ${address}, who has to accept: ${reason}.`);
  return { userId, joining: 'invited' };
}
