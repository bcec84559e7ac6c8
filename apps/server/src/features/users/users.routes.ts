// Users: an admin lists, searches, adds and edits the users of a team, resends and cancels invitations, views and
// revokes sessions, reads who signed in, deactivates and removes users, alone or many at once, and owners decide who else is
// one, export what is stored about a user, and erase it. Reads people, memberships and presence; the stores of #workspace write
// them. Owns `user_jobs`.

import { isId } from '@steward/contract/api/fields';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { getBulk, startBulk } from '@steward/contract/users/bulk';
import { resetFactors } from '@steward/contract/users/factors';
import { addInvitationLink, listInvitationLinks, revokeInvitationLink } from '@steward/contract/users/invitation-links';
import {
  cancelInvitation,
  getInvitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { getHue, getInitials } from '@steward/contract/users/names';
import { getUser } from '@steward/contract/users/panel';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { listSignIns } from '@steward/contract/users/sign-ins';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { escapeHtml } from '#platform/mail/mail.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import { listOpenTeams, type SignedIn } from '#workspace/access/enter-team.ts';
import { recently } from '#workspace/access/step-up.ts';
import { type Feature, serveChange } from '#workspace/changes/change.ts';
import { findPicture } from '#workspace/users/pictures.store.ts';
import { getBulkJob, previewBulkJob, startBulkJob } from './bulk/bulk.actions.ts';
import { previewUsers, saveUsersByEmail } from './bulk/save-users.actions.ts';
import { inactivityRoutes } from './inactivity/inactivity.routes.ts';
import { createLink, revokeLink } from './invitation-links.actions.ts';
import * as invitations from './invitations.actions.ts';
import { listInvitationLinkRows, listUndeliveredInvitations } from './invitations.store.ts';
import * as lifecycle from './lifecycle.actions.ts';
import * as list from './list/list-users.actions.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import * as sessions from './sessions.actions.ts';
import { listSignIns as readSignIns } from './sign-ins.store.ts';
import { getUserDetails, resetFactors as reset, saveUserByEmail } from './users.actions.ts';

export function usersRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };
  serve(app, listUsers, access.teamAdmin, (call) => list.listUsers(deps, call, call.who));
  serve(app, getUser, access.teamAdmin, (call) => getUserDetails(deps, toTarget(call)));
  serveChange(feature, saveUser, access.teamAdmin, (trx, { params, body, who }) =>
    saveUserByEmail(trx, deps, { teamId: params.teamId, caller: who, form: body }),
  );
  sessionRoutes(feature, access);
  lifecycleRoutes(feature, access);
  signInRoutes(feature, access);
  invitationRoutes(feature, access);
  linkRoutes(feature, access);
  manyUsersRoutes(app, deps, access);
  privacyRoutes(app, deps, access);
  inactivityRoutes(app, deps, access);
  servePicture(app, deps, access);
}

interface MemberCall {
  params: { teamId: string; userId: string };
  who: TeamAdmin;
}

const toTarget = ({ params, who }: MemberCall) => ({ teamId: params.teamId, userId: params.userId, caller: who });

function lifecycleRoutes(feature: Feature, access: Access): void {
  const { deps } = feature;

  serveChange(feature, deactivateUser, access.teamAdmin, (trx, call) =>
    lifecycle.deactivateUser(trx, deps, toTarget(call)),
  );
  serveChange(feature, reactivateUser, access.teamAdmin, (trx, call) =>
    lifecycle.reactivateUser(trx, deps, { ...toTarget(call), endsOn: call.body?.ends_on }),
  );
  serveChange(feature, removeUser, access.teamAdmin, (trx, call) => lifecycle.removeUser(trx, deps, toTarget(call)));
  serveChange(feature, setOwner, recently(access.teamAdmin), (trx, call) =>
    lifecycle.setOwner(trx, deps, { ...toTarget(call), owner: call.body.owner }),
  );
  serveChange(feature, resetFactors, recently(access.teamAdmin), (trx, call) => reset(trx, deps, toTarget(call)));
}

function sessionRoutes({ app, deps }: Feature, access: Access): void {
  const feature = { app, deps };

  serve(app, listSessions, access.teamAdmin, (call) => sessions.listSessions(deps, toTarget(call)));
  serveChange(feature, revokeSession, access.teamAdmin, (trx, call) =>
    sessions.revokeSession(trx, deps, { ...toTarget(call), sessionId: call.body.session_id }),
  );
  serveChange(feature, revokeSessions, access.teamAdmin, (trx, call) =>
    sessions.revokeSessions(trx, deps, toTarget(call)),
  );
}

function signInRoutes({ app, deps }: Feature, access: Access): void {
  serve(app, listSignIns, access.teamAdmin, async ({ params, query }) => {
    const { last_key, limit, ...filters } = query;
    const scope = { list: 'sign_ins', teamId: params.teamId, filters };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await readSignIns(deps.db, { ...filters, ...params, before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: ({ id }) => [id] });
  });
}

function invitationRoutes({ app, deps }: Feature, access: Access): void {
  const feature = { app, deps };

  serve(app, getInvitation, access.teamAdmin, (call) => invitations.getInvitation(deps, toTarget(call)));
  serveChange(feature, resendInvitation, access.teamAdmin, (trx, call) =>
    invitations.resendInvitation(trx, deps, toTarget(call)),
  );
  serveChange(feature, cancelInvitation, access.teamAdmin, (trx, call) =>
    invitations.cancelInvitation(trx, toTarget(call)),
  );
  serve(app, listFailedInvitations, access.teamAdmin, async ({ params }) => ({
    records: await listUndeliveredInvitations(deps.db, params.teamId),
    last_key: null,
  }));
}

function linkRoutes({ app, deps }: Feature, access: Access): void {
  const feature = { app, deps };

  serve(app, listInvitationLinks, access.teamAdmin, async ({ params }) => ({
    records: await listInvitationLinkRows(deps.db, params.teamId),
    last_key: null,
  }));
  serveChange(feature, addInvitationLink, recently(access.teamAdmin), (trx, { params, body, who }) =>
    createLink(trx, deps, { ...params, actorId: who.userId, form: body }),
  );
  serveChange(feature, revokeInvitationLink, access.teamAdmin, (trx, { params, who }) =>
    revokeLink(trx, { ...params, actorId: who.userId }),
  );
}

/** One at a time, which leaves a core for other calls; a waiting call holds up to 2 MiB. */
const SAVE_USERS = describeLimit({
  name: 'users.multi',
  counts: 'calls that add or edit many users; teams and their users take turns',
  atOnce: 1,
  waitingPerUser: 10,
  waitingPerKey: 20,
  waiting: 50,
});

function manyUsersRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const heavy = { app, deps, queue: createFairQueue(SAVE_USERS) };

  serveChange(heavy, saveUsers, access.teamAdmin, async (trx, { params, query, body, who }) => {
    const input = { teamId: params.teamId, caller: who, rows: body, ifExists: query.if_exists };
    if (query.preview === '1') return { answer: await previewUsers(trx, input), audit: null };
    return saveUsersByEmail(trx, deps, input);
  });

  serveChange({ app, deps }, startBulk, access.teamAdmin, (trx, { params, body, who }) => {
    const input = { teamId: params.teamId, caller: who, request: body };
    return body.dry_run ? previewBulkJob(trx, input) : startBulkJob(trx, deps, input);
  });
  serve(app, getBulk, access.teamAdmin, ({ params }) => getBulkJob(deps, params));
}

/** Serves a user's picture, or initials on a color of their own, to users who share a team with them. */
function servePicture(app: FastifyInstance, deps: Deps, access: Access): void {
  app.get('/api/v4/users/:userId/image', {
    config: { endpoint: 'getPicture' },
    onRequest: async (request) => {
      request.who = await access.signedIn(request);
    },
    handler: async (request, reply) => {
      const { userId } = request.params as { userId: string };
      if (!isId(userId)) refuse('record.not_found');
      const who = request.who as SignedIn;
      const teamIds = await listOpenTeams(deps.db, who);
      const user = await findPicture(deps.db, { callerId: who.userId, teamIds }, userId);
      if (!user) refuse('record.not_found');
      // Clients put last_picture_update into the URL, so the picture at a URL never changes.
      reply.header('cache-control', 'private, max-age=86400');
      if (user.content) return reply.type('image/webp').send(user.content);
      return reply.type('image/svg+xml; charset=utf-8').send(renderInitials(user));
    },
  });
}

function renderInitials(user: { id: string; first_name: string; last_name: string; email: string }): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">' +
    `<rect width="64" height="64" fill="hsl(${getHue(user.id)} 42% 33%)"/>` +
    '<text x="32" y="33" fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="25" font-weight="600" ' +
    `text-anchor="middle" dominant-baseline="central">${escapeHtml(getInitials(user))}</text></svg>`
  );
}
