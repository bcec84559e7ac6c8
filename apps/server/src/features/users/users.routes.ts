// Users: an admin lists, searches, adds and edits the users of a team, resends and cancels invitations, views and
// revokes sessions, reads who signed in, deactivates and removes users, alone or many at once, and owners decide who else is
// one, export what is stored about a user, and erase it. Reads people, memberships and presence; the stores of #workspace write them. Owns `user_jobs`.
// Imports go one way: users.routes → many.routes → bulk, multi → list, lifecycle, factors → invitations, sessions → users.actions →
// users.policy, edit.rules.

import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { resetFactors } from '@steward/contract/users/factors';
import {
  cancelInvitation,
  getInvitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { getUser } from '@steward/contract/users/panel';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { listSignIns } from '@steward/contract/users/sign-ins';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { resetFactors as reset } from './factors/reset-factors.actions.ts';
import * as invitations from './invitations/invitations.actions.ts';
import { listUndeliveredInvitations } from './invitations/invitations.store.ts';
import * as lifecycle from './lifecycle/lifecycle.actions.ts';
import * as list from './list/list-users.actions.ts';
import { manyUsersRoutes } from './many.routes.ts';
import * as panel from './panel/get-user.actions.ts';
import { servePicture } from './picture.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import * as sessions from './sessions/sessions.actions.ts';
import { listSignIns as readSignIns } from './sign-ins/sign-ins.store.ts';
import { saveUserByEmail } from './users.actions.ts';

interface Room {
  app: FastifyInstance;
  deps: Deps;
}

/** Registers the endpoints of users. */
export function usersRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };
  serve(app, listUsers, access.teamAdmin, (call) => list.listUsers(deps, call, call.who));
  serve(app, getUser, access.teamAdmin, (call) => panel.getUser(deps, toTarget(call)));
  serveChange(room, saveUser, access.teamAdmin, (trx, { params, body, who }) =>
    saveUserByEmail(trx, deps, { teamId: params.teamId, caller: who, form: body }),
  );
  sessionRoutes(room, access);
  lifecycleRoutes(room, access);
  signInRoutes(room, access);
  invitationRoutes(room, access);
  manyUsersRoutes(app, deps, access);
  privacyRoutes(app, deps, access);
  servePicture(app, deps, access);
}

interface MemberCall {
  params: { teamId: string; userId: string };
  who: TeamAdmin;
}

const toTarget = ({ params, who }: MemberCall) => ({ teamId: params.teamId, personId: params.userId, caller: who });

function lifecycleRoutes(room: Room, access: Access): void {
  const { deps } = room;

  serveChange(room, deactivateUser, access.teamAdmin, (trx, call) =>
    lifecycle.deactivateUser(trx, deps, toTarget(call)),
  );
  serveChange(room, reactivateUser, access.teamAdmin, (trx, call) => lifecycle.reactivateUser(trx, toTarget(call)));
  serveChange(room, removeUser, access.teamAdmin, (trx, call) => lifecycle.removeUser(trx, deps, toTarget(call)));
  serveChange(room, setOwner, recently(access.teamAdmin), (trx, call) =>
    lifecycle.setOwner(trx, deps, { ...toTarget(call), owner: call.body.owner }),
  );
  serveChange(room, resetFactors, recently(access.teamAdmin), (trx, call) => reset(trx, deps, toTarget(call)));
}

function sessionRoutes({ app, deps }: Room, access: Access): void {
  const room = { app, deps };

  serve(app, listSessions, access.teamAdmin, (call) => sessions.listSessions(deps, toTarget(call)));
  serveChange(room, revokeSession, access.teamAdmin, (trx, call) =>
    sessions.revokeSession(trx, deps, { ...toTarget(call), sessionId: call.body.session_id }),
  );
  serveChange(room, revokeSessions, access.teamAdmin, (trx, call) =>
    sessions.revokeSessions(trx, deps, toTarget(call)),
  );
}

function signInRoutes({ app, deps }: Room, access: Access): void {
  serve(app, listSignIns, access.teamAdmin, async ({ params, query }) => {
    const { last_key, limit, ...filters } = query;
    const scope = { list: 'sign_ins', teamId: params.teamId, filters };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await readSignIns(deps.db, { ...filters, ...params, before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: ({ id }) => [id] });
  });
}

function invitationRoutes({ app, deps }: Room, access: Access): void {
  const room = { app, deps };

  serve(app, getInvitation, access.teamAdmin, (call) => invitations.getInvitation(deps, toTarget(call)));
  serveChange(room, resendInvitation, access.teamAdmin, (trx, call) =>
    invitations.resendInvitation(trx, deps, toTarget(call)),
  );
  serveChange(room, cancelInvitation, access.teamAdmin, (trx, call) =>
    invitations.cancelInvitation(trx, toTarget(call)),
  );
  serve(app, listFailedInvitations, access.teamAdmin, async ({ params }) => ({
    records: await listUndeliveredInvitations(deps.db, params.teamId),
    last_key: null,
  }));
}
