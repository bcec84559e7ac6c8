import type { Answer } from '@steward/contract/api/endpoint';
import { Id } from '@steward/contract/api/fields';
import type { linkOwnAccount, listOwnLinks, unlinkIdentity } from '@steward/contract/sso/identities';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type SignedIn, toSsoPath } from '#workspace/access/enter-team.ts';
import { endConnectionSessions } from '#workspace/access/sessions/sessions.store.ts';
import { lacksOwnFactor } from '#workspace/access/step-up.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { notifyUnlinked } from '#workspace/notices/notify-links.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { listLinkedIdentities, removeIdentity } from './identities.store.ts';

export async function getOwnLinks({ db }: Deps, { userId }: SignedIn): Promise<Answer<typeof listOwnLinks>> {
  const links = await listLinkedIdentities(db, userId);
  return { records: links.map(({ connection_id: _connection, ...link }) => link) };
}

/** Returns the URL that links the session's user. The sign-in asks for the second factor, if there is one. */
export async function beginLink({ db }: Deps, who: SignedIn, teamId: string): Promise<Answer<typeof linkOwnAccount>> {
  if (await lacksOwnFactor(db, who)) refuse('session.reauth_required');
  const link = (await listLinkedIdentities(db, who.userId)).find(({ team_id }) => team_id === teamId);
  if (link === undefined) refuse('record.not_found');
  return { sso_url: `${toSsoPath(link.connection_id)}?return=/account` };
}

interface Unlinking {
  teamId: string;
  userId: string;
  actorId: string;
}

/**
 * Removes the link, for example because the user has a new identity at the provider, ends the user's sessions with it and
 * emails the user.
 */
export async function unlink(
  trx: Trx,
  deps: Deps,
  { teamId, userId, actorId }: Unlinking,
): Promise<Changed<typeof unlinkIdentity>> {
  // An id from a path may contain characters that PostgreSQL rejects.
  if (!Id.safeParse(userId).success) refuse('record.not_found');
  // A sign-in that is being completed holds this lock: it has either started its session already, or will find no link.
  await lockTeam(trx, teamId);
  await notifyUnlinked(trx, deps, { teamId, userIds: [userId], reason: 'unlinked' });
  const connectionId = (await removeIdentity(trx, teamId, userId)) ?? refuse('record.not_found');
  const sessions = await endConnectionSessions(trx, { connectionId, userId });
  return {
    answer: { status_code: 200, revoked: sessions },
    audit: { action: 'sso.unlinked', teamId, actorId, target: userId, details: { sessions } },
  };
}
