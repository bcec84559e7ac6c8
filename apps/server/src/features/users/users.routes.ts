// What an admin does here: finds the people of a team, adds and edits them, invites them again or not after all, sees
// where they are signed in, and signs them out there or everywhere.
// Reads people, memberships and presence; owns no table: the stores of #workspace write them.

import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import {
  cancelInvitation,
  getInvitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { toUser } from '#workspace/people/user.ts';
import { cancelPendingInvitation, getInvitationDetails, inviteAgain } from './invitations.actions.ts';
import { listUndeliveredInvitations } from './invitations.store.ts';
import { servePicture } from './picture.routes.ts';
import { endAllSessions, endSession, getSessions } from './sessions.actions.ts';
import { saveTeamMember } from './users.actions.ts';
import { listPeople } from './users.store.ts';

interface Room {
  app: FastifyInstance;
  deps: Deps;
}

/** Serves the calls of the users room. */
export function usersRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serve(app, listUsers, access.teamAdmin, async ({ params, query }) => {
    const { last_key, limit, ...filters } = query;
    const scope = { list: 'users', teamId: params.teamId, filters };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listPeople(deps.db, {
      teamId: params.teamId,
      search: (query.search ?? '').trim().normalize('NFC'),
      owners: query.primary_owner === '1',
      admins: query.workspace_admin === '1',
      members: query.member === '1',
      deactivated: query.deactivated_accounts === '1',
      after: cursor && { nameKey: cursor[0] ?? '', id: cursor[1] ?? '' },
      limit: rowsToFetch(limit),
    });
    const page = getPage(rows, {
      limit,
      first: cursor === undefined,
      secrets: deps.secrets,
      scope,
      toKey: (row) => [row.name_key, row.id],
    });
    return { ...page, records: page.records.map(toUser) };
  });

  serveChange(room, saveUser, access.teamAdmin, (trx, { params, body, who }) =>
    saveTeamMember(trx, deps, { teamId: params.teamId, actorId: who.personId, form: body }),
  );

  sessionRoutes(room, access);
  invitationRoutes(room, access);
  servePicture(app, deps, access);
}

function sessionRoutes(room: Room, access: Access): void {
  const toCase = ({ params, who }: { params: { teamId: string; userId: string }; who: TeamAdmin }) => ({
    teamId: params.teamId,
    personId: params.userId,
    asks: who,
  });

  serve(room.app, listSessions, access.teamAdmin, (call) => getSessions(room.deps, toCase(call)));
  serveChange(room, revokeSession, access.teamAdmin, (trx, call) =>
    endSession(trx, room.deps, { ...toCase(call), sessionId: call.body.session_id }),
  );
  serveChange(room, revokeSessions, access.teamAdmin, (trx, call) => endAllSessions(trx, room.deps, toCase(call)));
}

function invitationRoutes(room: Room, access: Access): void {
  const { app, deps } = room;
  const toCase = ({ params, who }: { params: { teamId: string; userId: string }; who: TeamAdmin }) => ({
    teamId: params.teamId,
    personId: params.userId,
    actorId: who.personId,
  });

  serve(app, getInvitation, access.teamAdmin, ({ params }) => getInvitationDetails(deps, params.teamId, params.userId));
  serveChange(room, resendInvitation, access.teamAdmin, (trx, call) => inviteAgain(trx, deps, toCase(call)));
  serveChange(room, cancelInvitation, access.teamAdmin, (trx, call) => cancelPendingInvitation(trx, toCase(call)));
  serve(app, listFailedInvitations, access.teamAdmin, async ({ params }) => ({
    records: await listUndeliveredInvitations(deps.db, params.teamId),
    last_key: null,
  }));
}
