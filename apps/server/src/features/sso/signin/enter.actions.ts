import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { findKnown } from '#workspace/access/sessions/known-devices.store.ts';
import {
  holdSession,
  recordAuthentication,
  removeSessionById,
  sessionLimits,
} from '#workspace/access/sessions/sessions.store.ts';
import { addSignIn } from '#workspace/access/sessions/sign-ins.store.ts';
import { type StartedSession, startSession } from '#workspace/access/sessions/start-session.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findPerson } from '#workspace/people/people.store.ts';
import type { Arrival } from '../people/arrival.ts';
import { findIdentity } from '../people/identities.store.ts';
import type { Transaction } from './transactions.store.ts';

export type Entered = StartedSession;

/** Starts a session for the connection's team, and ends the browser's previous session. */
export async function enter(
  trx: Trx,
  deps: Deps,
  arrival: Arrival & { personId: string; sessionId: string | undefined; device: string | undefined },
): Promise<Entered> {
  const { connection, claims, origin, personId, sessionId, device } = arrival;
  const account = (await findPerson(trx, personId)) ?? refuse('sso.no_account');
  if (sessionId !== undefined) await removeSessionById(trx, sessionId);
  return startSession(trx, deps, {
    ...{ account, method: 'sso', hasSecondFactor: false, origin, earlier: undefined, device },
    known: await findKnown(trx, personId, { address: origin.address, device }),
    sso: { teamId: connection.team_id, connectionId: connection.id, idpSid: claims.sid, authTime: claims.authTime },
  });
}

/** Confirms the original session if the same user returned. */
export async function renewSession(
  trx: Trx,
  deps: Deps,
  { arrival, pending }: { arrival: Arrival; pending: Transaction },
): Promise<null> {
  const { connection, claims, origin } = arrival;
  const personId = await findIdentity(trx, { connectionId: connection.id, ...claims });
  const session = pending.session ?? refuse('sso.expired');
  if (personId !== session.personId) refuse('sso.other_user');
  const held = { sessionId: session.id, personId, limits: sessionLimits(deps.env) };
  if (!(await holdSession(trx, held))) refuse('sso.expired');
  await recordAuthentication(trx, session.id, { hasSecondFactor: false });
  const event = { teamId: '', actorId: personId, target: personId, details: { reauth_method: 'sso' } };
  await addAuditEvent(trx, { action: 'session.reauthenticated', ...event }, origin);
  return null;
}

/** Adds the refusal to the team's sign-in log. */
export async function recordRefusal(deps: Deps, arrival: Arrival & { personId: string | undefined }): Promise<void> {
  const { personId, connection, origin } = arrival;
  if (personId === undefined) return;
  const attempt = { personId, outcome: 'sso_refused', method: 'sso', origin, teamId: connection.team_id } as const;
  await inTransaction(deps.db, (trx) => addSignIn(trx, attempt));
}
