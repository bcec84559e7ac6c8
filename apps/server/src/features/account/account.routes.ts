// The signed-in user's own account: name, picture, email, password, sessions and memberships. Users also answer invitations
// and leave teams. Owns no table; the stores of #workspace write people, sessions and memberships.

import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  removePicture,
  savePicture,
  saveProfile,
} from '@steward/contract/account';
import { checkEmailLink, confirmEmail, requestEmailChange } from '@steward/contract/account/email';
import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import { getPreferences, savePreferences } from '@steward/contract/account/preferences';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { type Feature, serveChange } from '#workspace/changes/change.ts';
import * as account from './account.actions.ts';
import * as email from './email.actions.ts';
import * as memberships from './memberships.actions.ts';
import * as pictures from './picture.actions.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serveChange(feature, saveProfile, access.account, (trx, { who, body }) =>
    account.saveProfile(trx, { who, profile: body }),
  );
  // This is not a serveChange, because the picture is decoded first and saving it again changes nothing.
  serve(app, savePicture, access.account, (call) => pictures.savePicture(deps, call));
  serveChange(feature, removePicture, access.account, (trx, { who }) => pictures.removePicture(trx, who));
  serve(app, changePassword, access.credentials, (call) => account.changePassword(deps, call));
  serve(app, requestEmailChange, access.credentials, (call) => email.requestEmailChange(deps, call));
  serve(app, checkEmailLink, access.credentials, ({ who, body }) => email.checkEmailLink(deps, { who, ...body }));
  serve(app, confirmEmail, access.credentials, (call) => email.confirmEmail(deps, call));
  serve(app, listOwnSessions, access.signedIn, ({ who }) => account.listOwnSessions(deps, who));
  serveChange(feature, endOwnSession, access.account, (trx, { who, params }) =>
    account.endOwnSession(trx, deps, { who, ...params }),
  );
  serveChange(feature, endOtherSessions, access.account, (trx, { who }) => account.endOtherSessions(trx, who));
  serve(app, getPreferences, access.signedIn, ({ who }) => account.getPreferences(deps, who));
  serveChange(feature, savePreferences, access.account, (trx, { who, body }) =>
    account.savePreferences(trx, { who, ...body }),
  );
  membershipRoutes(feature, access);
}

function membershipRoutes(feature: Feature, access: Access): void {
  const { app, deps } = feature;

  serve(app, listOwnInvitations, access.signedIn, ({ who }) => memberships.listOwnInvitations(deps, who));
  serveChange(feature, answerInvitation, access.account, (trx, { params, body, who }) =>
    memberships.answerInvitation(trx, deps, { ...params, who, accept: body.accept }),
  );
  serveChange(feature, leaveTeam, access.account, (trx, { params, who }) =>
    memberships.leaveTeam(trx, deps, { ...params, who }),
  );
}
