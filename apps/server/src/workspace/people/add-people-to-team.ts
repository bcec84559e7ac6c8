import { PENDING_INVITEE } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import { insertMemberships } from './memberships.store.ts';
import { insertPeople, type PersonInsert } from './people.store.ts';

/** Adds many people without passwords, and invitations, to a team; existing ones are skipped. Returns how many were added. */
export async function addPeopleToTeam(trx: Trx, teamId: string, people: readonly PersonInsert[]): Promise<number> {
  const invited = people.filter(({ type }) => type === PENDING_INVITEE);
  const accounts = people.filter(({ type }) => type !== PENDING_INVITEE);
  const added = new Set(await insertPeople(trx, accounts));
  const members = accounts.filter(({ id }) => added.has(id));
  const joined = await insertMemberships(trx, teamId, { members, areInvited: false });
  return joined + (await insertMemberships(trx, teamId, { members: invited, areInvited: true }));
}
