import { INTEGRATION_ROLE, PENDING_INVITEE } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { listIntegrationUsers } from './managers.store.ts';
import { findByEmail } from './members.store.ts';
import { insertMemberships } from './memberships.store.ts';
import { insertUsers, type UserInsert } from './users.store.ts';

/**
 * Adds many accounts without passwords, and invitations, to a team; existing ones are skipped. Returns the number
 * added.
 */
export async function addUsersToTeam(trx: Trx, teamId: string, users: readonly UserInsert[]): Promise<number> {
  const invited = users.filter(({ type }) => type === PENDING_INVITEE);
  const accounts = users.filter(({ type }) => type !== PENDING_INVITEE);
  const added = new Set(await insertUsers(trx, accounts));
  const members = accounts.filter(({ id }) => added.has(id));
  const joined = await insertMemberships(trx, teamId, { members, areInvited: false });
  return joined + (await insertMemberships(trx, teamId, { members: invited, areInvited: true }));
}

/**
 * Returns the id of the team's user that posts an integration's messages, and adds that user if needed. No one can sign
 * in as it: it has no password, and email to an address under `.invalid` is never delivered.
 */
export async function ensureIntegrationUser(
  trx: Trx,
  teamId: string,
  { code, name }: { code: string; name: string },
): Promise<string> {
  const email = `${code}@${teamId}.integration.invalid`;
  const now = Date.now();
  const user = {
    id: newId(now),
    email,
    first_name: name,
    last_name: '',
    type: 2,
    apps: '{}',
    create_at: now,
    delete_at: 0,
    roles: [INTEGRATION_ROLE],
    presence: null,
  };
  await addUsersToTeam(trx, teamId, [user]);
  const found = await findByEmail(trx, teamId, email);
  if (!found) throw new Error('The integration user was not added');
  return found.id;
}

/** Becomes the integration user of a team that has none. */
const CONTENT = { code: 'content', name: 'Integration' };

/** Imported content comes from the user of an integration, or else from one of its own. */
export async function ensureContentUser(trx: Trx, teamId: string): Promise<string> {
  const [first] = await listIntegrationUsers(trx, teamId);
  return first ?? ensureIntegrationUser(trx, teamId, CONTENT);
}
