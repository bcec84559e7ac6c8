import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { findKnown } from '#workspace/access/sessions/known-devices.store.ts';
import { recordAuthentication, removeSessionById } from '#workspace/access/sessions/sessions.store.ts';
import { addSignIn } from '#workspace/access/sessions/sign-ins.store.ts';
import { type StartedSession, startSession } from '#workspace/access/sessions/start-session.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { recordHeard } from '#workspace/users/activity-sources.store.ts';
import { findUser } from '#workspace/users/users.store.ts';
import { findIdentity } from '../users/identities.store.ts';
import type { Arrival } from '../users/resolve-user.actions.ts';
import type { SessionFacts } from './start-sign-in.actions.ts';
import { hasStartedSince, releaseTransactions } from './transactions.store.ts';

export type Entered = StartedSession;

interface Entering extends Arrival {
  userId: string;
  /** The browser's present session. */
  sessionId: string | undefined;
  device: string | undefined;
  startedAt: number;
}

/**
 * Starts a session for the connection's team, and ends the browser's previous session. Returns null if another tab has signed
 * the user in here since this sign-in started: requests of that tab are on their way with that session.
 */
export async function enter(trx: Trx, deps: Deps, arrival: Entering): Promise<Entered | null> {
  const { connection, claims, origin, userId, sessionId, device, startedAt } = arrival;
  const account = (await findUser(trx, userId)) ?? refuse('sso.no_account');
  if (sessionId !== undefined) {
    const present = { sessionId, userId, connectionId: connection.id };
    if (await hasStartedSince(trx, present, startedAt)) return null;
    await releaseTransactions(trx, present);
    await removeSessionById(trx, sessionId);
  }
  await recordHeard(trx, connection.team_id, 'sso');
  return startSession(trx, deps, {
    account,
    method: 'sso',
    hasSecondFactor: false,
    origin,
    earlier: undefined,
    device,
    known: await findKnown(trx, userId, { address: origin.address, device }),
    sso: { teamId: connection.team_id, connectionId: connection.id, idpSid: claims.sid, authTime: claims.authTime },
  });
}

/** Confirms the original session if the same user returned. The session is locked. */
export async function renewSession(
  trx: Trx,
  deps: Deps,
  { connection, claims, origin, session }: Arrival & { session: SessionFacts },
): Promise<null> {
  const userId = await findIdentity(trx, { connectionId: connection.id, ...claims });
  if (userId !== session.userId) refuse('sso.other_user');
  await recordAuthentication(trx, session.id, { hasSecondFactor: false });
  const event = { teamId: '', actorId: userId, target: userId, details: { reauth_method: 'sso' } };
  await addAuditEvent(trx, deps, { action: 'session.reauthenticated', ...event, origin });
  return null;
}

/** Adds the refusal to the team's sign-in log. */
export async function recordRefusal(
  deps: Deps,
  { connection, origin, userId }: Pick<Arrival, 'connection' | 'origin'> & { userId: string | undefined },
): Promise<void> {
  if (userId === undefined) return;
  const attempt = { userId, outcome: 'sso_refused', method: 'sso', origin, teamId: connection.team_id } as const;
  await inTransaction(deps.db, (trx) => addSignIn(trx, attempt));
}
