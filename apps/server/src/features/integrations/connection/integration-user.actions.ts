import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { bulkInsertPeople, findByEmail } from '#workspace/people/people.store.ts';

/**
 * The user of the team that messages of an integration come from. Nobody can sign in as it: it has no password, and no email
 * reaches an address below `.invalid`.
 */
export async function integrationUser(
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
    // The role of every user that belongs to an integration and not to a person, whatever the integration is.
    roles: ['zendesk'],
    presence: null,
  };
  await bulkInsertPeople(trx, teamId, [user]);
  const found = await findByEmail(trx, teamId, email);
  if (!found) throw new Error('the user of the integration is not there');
  return found.id;
}
