import type { EndedAccess } from '@steward/contract/users/lifecycle';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeDevice } from '#workspace/sessions/device.ts';
import { removeLinksOf, removePersonLinks } from '#workspace/sessions/links.store.ts';
import { endSessions, endSessionsOf, sessionLimits } from '#workspace/sessions/sessions.store.ts';
import { removeTokensOf } from '#workspace/tokens/tokens.store.ts';

/**
 * Ends what a person who lost their membership still holds: every session and reset link of the account, and the service
 * tokens they created in this team. Other teams' tokens and invitations stay.
 */
export async function endAccess(
  trx: Trx,
  { env }: Deps,
  { teamId, personId }: { teamId: string; personId: string },
): Promise<Omit<EndedAccess, 'status_code'>> {
  const ended = await endSessions(trx, { personId }, sessionLimits(env));
  const devices = ended.map(({ user_agent, address, last_seen_at }) => ({
    device: describeDevice(user_agent),
    address,
    last_seen_at,
  }));
  const links = await removePersonLinks(trx, personId);
  const tokens = await removeTokensOf(trx, teamId, personId);
  return { revoked: devices.length, devices, links, tokens };
}

/** The same for several people at once, counted. */
export async function endAccessOfMany(
  trx: Trx,
  { env }: Deps,
  { teamId, personIds }: { teamId: string; personIds: readonly string[] },
): Promise<{ sessions: number; links: number; tokens: number }> {
  const sessions = await endSessionsOf(trx, personIds, sessionLimits(env));
  const links = await removeLinksOf(trx, personIds);
  return { sessions, links, tokens: await removeTokensOf(trx, teamId, personIds) };
}
