import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { bulkInsertPeople, findByEmail } from '#workspace/people/people.store.ts';

/**
 * Who posts in the name of a team's help desk: somebody of the team whom nobody can be. There is no password to sign in with,
 * and no mail reaches an address below `.invalid`.
 */
export async function integrationUser(trx: Trx, teamId: string): Promise<string> {
  const email = `zendesk@${teamId}.integration.invalid`;
  const now = Date.now();
  const user = {
    id: newId(now),
    email,
    first_name: 'Zendesk',
    last_name: '',
    type: 2,
    apps: '{}',
    create_at: now,
    delete_at: 0,
    roles: ['zendesk'],
    presence: null,
  };
  await bulkInsertPeople(trx, teamId, [user]);
  const found = await findByEmail(trx, teamId, email);
  if (!found) throw new Error('the user of the integration is not there');
  return found.id;
}
