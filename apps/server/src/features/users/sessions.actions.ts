import type { Answer } from '@steward/contract/api/endpoint';
import type { EndedSession, revokeSessions } from '@steward/contract/users';
import type { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { SignedIn } from '#workspace/access/access.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findMember, type MemberRow } from '#workspace/people/people.store.ts';
import { describeDevice } from '#workspace/sessions/device.ts';
import { removePersonLinks } from '#workspace/sessions/links.store.ts';
import {
  endSessions,
  type LiveSession,
  listPersonSessions,
  sessionLimits,
} from '#workspace/sessions/sessions.store.ts';

/** Somebody of a team, and the admin who asks about their sessions. */
interface Case {
  teamId: string;
  personId: string;
  asks: SignedIn;
}

/** Where a person is signed in now. */
export async function getSessions(deps: Deps, { teamId, personId, asks }: Case): Promise<Answer<typeof listSessions>> {
  return inTransaction(deps.db, async (trx) => {
    const person = await findHolder(trx, teamId, personId);
    const rows = await listPersonSessions(trx, person.id, sessionLimits(deps.env));
    return {
      records: rows.map((row) => ({
        id: row.id,
        created_at: row.created_at,
        is_current: row.id === asks.sessionId,
        ...toEndedSession(row),
      })),
    };
  });
}

/** Signs a person out on one device. Of two admins who do it at once, the second is told that it is gone. */
export async function endSession(
  trx: Trx,
  deps: Deps,
  { teamId, personId, asks, sessionId }: Case & { sessionId: string },
): Promise<Changed<typeof revokeSession>> {
  const person = await findHolder(trx, teamId, personId);
  if (sessionId === asks.sessionId) refuse('users.own_account');
  const devices = (await endSessions(trx, { personId: person.id, sessionId }, sessionLimits(deps.env))).map(
    toEndedSession,
  );
  const before = devices[0];
  if (before === undefined) refuse('record.not_found');
  return {
    answer: { status_code: 200, revoked: devices.length, devices },
    audit: {
      action: 'users.session_revoked',
      teamId,
      actorId: asks.personId,
      target: person.id,
      details: { before },
    },
  };
}

/** Signs a person out everywhere: sessions and mailed links, from the next request on (spec §6). */
export async function endAllSessions(
  trx: Trx,
  deps: Deps,
  { teamId, personId, asks }: Case,
): Promise<Changed<typeof revokeSessions>> {
  const person = await findHolder(trx, teamId, personId);
  if (person.id === asks.personId) refuse('users.own_account');
  const devices = (await endSessions(trx, { personId: person.id }, sessionLimits(deps.env))).map(toEndedSession);
  const links = await removePersonLinks(trx, person.id, { kind: 'reset' });
  return {
    answer: { status_code: 200, revoked: devices.length, devices },
    audit: {
      action: 'users.sessions_revoked',
      teamId,
      actorId: asks.personId,
      target: person.id,
      details: { sessions: devices.length, links, before: devices },
    },
  };
}

function toEndedSession({ user_agent, address, last_seen_at }: LiveSession): EndedSession {
  return { device: describeDevice(user_agent), address, last_seen_at };
}

/** The member with this id, locked, if they are somebody who can have sessions. */
async function findHolder(trx: Trx, teamId: string, personId: string): Promise<MemberRow> {
  const person = /^[a-z0-9]{26}$/.test(personId) ? await findMember(trx, teamId, personId) : undefined;
  if (!person) refuse('record.not_found');
  if (person.roles?.includes('zendesk')) refuse('users.zendesk_has_no_actions');
  if (person.type !== 2) refuse('users.pending_has_no_sessions');
  return person;
}
