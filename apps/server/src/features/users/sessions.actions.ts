import type { Answer } from '@steward/contract/api/endpoint';
import type { EndedSession, revokeSessions as RevokeSessions } from '@steward/contract/users';
import type * as endpoints from '@steward/contract/users/sessions';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { signOut } from '#workspace/access/memberships/end-membership.actions.ts';
import { describeDevice } from '#workspace/access/sessions/device.ts';
import {
  endSessions,
  endSessionsForTeam,
  type LiveSession,
  listUserSessions,
  sessionLimits,
} from '#workspace/access/sessions/sessions.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findTarget } from './users.actions.ts';

interface Input {
  teamId: string;
  userId: string;
  caller: TeamAdmin;
}

export async function listSessions(deps: Deps, input: Input): Promise<Answer<typeof endpoints.listSessions>> {
  return inTransaction(deps.db, async (trx) => {
    const user = await findTarget(trx, input, 'view_sessions');
    // A deactivated user may still use other teams, which this team must not see.
    if (user.state === 'deactivated') return { records: [] };
    const rows = await listUserSessions(trx, { userId: user.id, teamId: input.teamId }, sessionLimits(deps.env));
    return {
      records: rows.map((row) => ({
        id: row.id,
        created_at: row.created_at,
        is_current: row.id === input.caller.sessionId,
        ...toEndedSession(row),
      })),
    };
  });
}

/** If two admins end a session concurrently, the second gets `record.not_found`. */
export async function revokeSession(
  trx: Trx,
  deps: Deps,
  input: Input & { sessionId: string },
): Promise<Changed<typeof endpoints.revokeSession>> {
  const { teamId, caller, sessionId } = input;
  const { id: target, state, other_teams } = await findTarget(trx, input, 'view_sessions');
  if (state === 'deactivated') refuse('record.not_found');
  if (sessionId === caller.sessionId) refuse('users.own_account');
  const limits = sessionLimits(deps.env);
  const ended =
    other_teams > 0
      ? await endSessionsForTeam(trx, { teamId, userIds: [target], sessionId }, limits)
      : await endSessions(trx, { userId: target, sessionId }, limits);
  const devices = ended.map(toEndedSession);
  const before = devices[0];
  if (before === undefined) refuse('record.not_found');
  const actorId = caller.userId;
  return {
    answer: { status_code: 200, revoked: devices.length, devices },
    audit: { action: 'users.session_revoked', teamId, actorId, target, details: { before } },
  };
}

/** From the next request on, no session of the user opens the team, and of an account without other teams none is left. */
export async function revokeSessions(trx: Trx, deps: Deps, input: Input): Promise<Changed<typeof RevokeSessions>> {
  const { teamId, caller } = input;
  const { id: target, state } = await findTarget(trx, input, 'revoke_sessions');
  if (state === 'deactivated') return { answer: { status_code: 200, revoked: 0, devices: [] }, audit: null };
  const { sessions, links } = await signOut(trx, deps, { teamId, userId: target });
  const devices = sessions.map(toEndedSession);
  const details = { sessions: devices.length, links, before: devices };
  return {
    answer: { status_code: 200, revoked: devices.length, devices },
    audit: { action: 'users.sessions_revoked', teamId, actorId: caller.userId, target, details },
  };
}

function toEndedSession({ user_agent, address, last_seen_at }: LiveSession): EndedSession {
  return { device: describeDevice(user_agent), address, last_seen_at };
}
