import type { Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { findMember, lockInvitation, removeMembership, saveAccepted } from '#workspace/people/memberships.store.ts';
import { holdTeam } from '#workspace/people/teams.store.ts';

/** A person who accepts the invitation to their address. */
interface Accepting {
  teamId: string;
  personId: string;
  email: string;
}

/**
 * Makes a person a member of the team that invited their address, with the roles of the invitation, and adds them to its
 * default channels. Returns the id that the invitation had; undefined if there is none anymore. Refuses a person who was
 * deactivated in this team under another address.
 */
export async function acceptInvitation(trx: Trx, { teamId, personId, email }: Accepting): Promise<string | undefined> {
  await holdTeam(trx, teamId);
  const member = await findMember(trx, teamId, personId);
  const invitation = await lockInvitation(trx, teamId, email);
  if (!invitation) return undefined;
  if (member?.state === 'deactivated') refuse('users.deactivated');
  if (member) {
    await removeMembership(trx, teamId, invitation.id);
    return invitation.id;
  }
  await saveAccepted(trx, { teamId, id: invitation.id, personId });
  await joinDefaultChannels(trx, personId, teamId);
  return invitation.id;
}
