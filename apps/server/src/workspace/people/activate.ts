import { pickProfile } from '@steward/contract/users';
import type { Trx } from '#platform/database/database.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { removePersonLinks } from '#workspace/sessions/links.store.ts';
import { savePassword, saveProfile } from './people.store.ts';

/** Turns a pending invitee into an account: stores password and name, joins default channels, removes their links. */
export async function activate(
  trx: Trx,
  personId: string,
  given: { passwordHash: string; first_name: string; last_name: string },
): Promise<void> {
  await savePassword(trx, personId, given.passwordHash);
  await saveProfile(trx, personId, pickProfile(given));
  await removePersonLinks(trx, personId);
  await joinDefaultChannels(trx, personId);
}
