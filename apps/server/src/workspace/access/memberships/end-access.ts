import type { EndedAccess as Answer } from '@steward/contract/users/lifecycle';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeDevice } from '../sessions/device.ts';
import { removePersonLinks } from '../sessions/links.store.ts';
import { endSessions, sessionLimits } from '../sessions/sessions.store.ts';
import { stopTokens } from '../tokens.store.ts';

/** What ended, with the devices of its sessions. */
export type EndedAccess = Omit<Answer, 'status_code'>;

/**
 * Ends what a person who lost their membership, or each of several, still holds: every session and link of the account, and the
 * service tokens they created in this team. Other teams' tokens and invitations stay.
 */
export async function endAccess(
  trx: Trx,
  { env }: Deps,
  { teamId, personId }: { teamId: string; personId: string | readonly string[] },
): Promise<EndedAccess> {
  const ended = await endSessions(trx, { personId }, sessionLimits(env));
  const devices = ended.map(({ user_agent, address, last_seen_at }) => ({
    device: describeDevice(user_agent),
    address,
    last_seen_at,
  }));
  const links = await removePersonLinks(trx, personId);
  const tokens = await stopTokens(trx, teamId, personId);
  return { revoked: devices.length, devices, links, tokens };
}
