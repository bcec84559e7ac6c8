// The signed-in user's own memberships: they answer invitations and leave teams.
// Owns no table; `workspace/people` writes memberships.

import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import * as memberships from './memberships.actions.ts';

/** Registers the endpoints of the user's own memberships. */
export function ownMembershipRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serve(app, listOwnInvitations, access.signedIn, ({ who }) => memberships.listOwnInvitations(deps, who));
  serveChange(room, answerInvitation, access.signedIn, (trx, { params, body, who }) =>
    memberships.answerInvitation(trx, { ...params, who, accept: body.accept }),
  );
  serveChange(room, leaveTeam, access.signedIn, (trx, { params, who }) =>
    memberships.leaveTeam(trx, { ...params, who }),
  );
}
