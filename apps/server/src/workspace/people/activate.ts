import type { Trx } from '#platform/database/database.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { removePersonLinks } from '#workspace/sessions/links.store.ts';
import { saveNames, savePassword } from './people.store.ts';

/**
 * Makes a real account of a pending invitee: password and name, the default channels of every team that invited them, and
 * an end to all their links.
 */
export async function activate(
  trx: Trx,
  personId: string,
  given: { passwordHash: string; first_name: string; last_name: string },
): Promise<void> {
  await savePassword(trx, personId, given.passwordHash);
  await saveNames(trx, personId, given);
  await removePersonLinks(trx, personId);
  await joinDefaultChannels(trx, personId);
}
