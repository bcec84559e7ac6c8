import { refuse } from '#platform/http/errors.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { addMembership, findMember } from '#workspace/people/memberships.store.ts';
import { addPerson, findPersonName } from '#workspace/people/people.store.ts';
import { isProvedBy } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { getDomain } from './addresses.ts';
import { toAddress, type UserInput } from './user.ts';

export type Joining = 'created' | 'linked' | 'invited';

const MEMBER = ['team_user'];

/**
 * Adds a user who is not in the team. An address in a verified domain of the team gets a membership, and a new account if it
 * has none; any other address is invited, whether it has an account or not.
 */
export async function joinTeam(
  provisioning: Provisioning,
  user: UserInput,
): Promise<{ personId: string; joining: Joining }> {
  const { trx, deps, teamId, createdBy } = provisioning;
  const address = toAddress(user);
  const names = { first_name: user.givenName ?? '', last_name: user.familyName ?? '' };
  if (await isProvedBy(trx, teamId, getDomain(address))) return joinWithAccount(provisioning, address, names);
  const inviter = await findPersonName(trx, createdBy);
  const people = [{ email: address, ...names, roles: MEMBER }];
  const personId = (await inviteAddresses(trx, deps, { teamId, invitedBy: createdBy, inviter, people })).get(address);
  if (personId === undefined) refuse('scim.uniqueness', 'This address was just added to the team.');
  provisioning.note(`Invited ${address}: the team hasn't verified the domain.`);
  return { personId, joining: 'invited' };
}

async function joinWithAccount(
  { trx, teamId, note }: Provisioning,
  address: string,
  names: { first_name: string; last_name: string },
): Promise<{ personId: string; joining: Joining }> {
  const created = await addPerson(trx, { email: address, ...names, password_hash: null });
  const personId = created ?? (await findAccount(trx, address))?.id;
  if (personId === undefined) refuse('record.conflict');
  // The user may be a member under another known address.
  if (await findMember(trx, teamId, personId)) refuse('scim.uniqueness', 'Another user of the team has this address.');
  await addMembership(trx, { teamId, personId, roles: MEMBER });
  await joinDefaultChannels(trx, personId, teamId);
  const joining = created === undefined ? 'linked' : 'created';
  note(
    joining === 'created'
      ? `Created an account for ${address}.`
      : `Added the existing account of ${address} to the team.`,
  );
  return { personId, joining };
}
