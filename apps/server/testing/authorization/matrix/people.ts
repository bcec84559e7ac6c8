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
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { listSignIns } from '@steward/contract/users/sign-ins';
import { newId } from '#platform/database/ids.ts';
import { encodePng, paint } from '#testing/images/images.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { ADMINS, forAdmins, UNKNOWN } from './rows.ts';

const SIGNED_IN = { OUT: 401, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const NOT_FOUND = { OUT: 401, TU: 404, ZD: 404, XA: 404, TA: 404, TO: 404 };
const WRONG = { OUT: 401, TU: 400, ZD: 400, XA: 400, TA: 400, TO: 400 };
const OWNERS = { ...ADMINS, TA: 403 };

function onUsers(
  endpoint: AnyEndpoint,
  { body, ...state }: { deactivated?: boolean; body?: object } = {},
): Matrix[string] {
  const target = (create: (world: World) => Promise<string>) =>
    forAdmins(endpoint, async (world) => ({ params: { userId: await create(world) }, ...(body && { body }) }));
  return [
    target((world) => world.createMember({ ...state })),
    {
      ...target((world) => world.createMember({ ...state, kind: 'owner' })),
      about: 'on an owner',
      expected: { ...ADMINS, TA: 409 },
    },
    { ...target(async () => newId()), ...UNKNOWN },
  ];
}

const makeOwner = (about: MatrixRow['about'], create: (world: World) => Promise<string>): MatrixRow => ({
  ...forAdmins(setOwner, async (world) => ({ params: { userId: await create(world) }, body: { owner: true } })),
  ...(about === undefined ? {} : { about }),
  expected: OWNERS,
});

export const usersRows: Matrix = {
  listSignIns: [forAdmins(listSignIns)],
  deactivateUser: onUsers(deactivateUser),
  reactivateUser: onUsers(reactivateUser, { deactivated: true, body: { ends_on: null } }),
  removeUser: onUsers(removeUser),
  setOwner: [
    makeOwner(undefined, (world) => world.createMember({})),
    { ...makeOwner('of an unknown id', async () => newId()), expected: { ...OWNERS, TA: 404, TO: 404 } },
    { ...makeOwner('of a pending invitee', (world) => world.createInvitee()), expected: { ...OWNERS, TO: 409 } },
  ],
  saveProfile: [
    {
      endpoint: saveProfile,
      expected: SIGNED_IN,
      send: () => ({ body: { first_name: 'Ada', last_name: 'Lovelace' } }),
    },
  ],
  savePicture: [
    {
      endpoint: savePicture,
      expected: SIGNED_IN,
      send: () => ({ headers: { 'content-type': 'image/png' }, text: encodePng(paint(2, 2, () => [9, 9, 9])) }),
    },
  ],
  removePicture: [{ endpoint: removePicture, expected: SIGNED_IN }],
  changePassword: [
    {
      endpoint: changePassword,
      expected: SIGNED_IN,
      send: (_world, me) => ({ body: { current_password: me.password, new_password: 'another long password' } }),
    },
    {
      endpoint: changePassword,
      about: 'with a wrong current password',
      expected: WRONG,
      send: () => ({ body: { current_password: 'a wrong one', new_password: 'another long password' } }),
    },
  ],
  requestEmailChange: [
    {
      endpoint: requestEmailChange,
      expected: SIGNED_IN,
      send: (_world, me) => ({ body: { email: `${newId()}@example.test`, password: me.password } }),
    },
    {
      endpoint: requestEmailChange,
      about: 'with a wrong password',
      expected: WRONG,
      send: () => ({ body: { email: `${newId()}@example.test`, password: 'a wrong one' } }),
    },
  ],
  confirmEmail: [
    {
      endpoint: confirmEmail,
      expected: SIGNED_IN,
      send: async (world, me) => ({ body: { token: await world.createEmailLink(me.id) } }),
    },
    {
      endpoint: confirmEmail,
      about: 'with the link of another account',
      expected: { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 403, TO: 403 },
      send: async (world) => {
        const other = await world.createMember({});
        return { body: { token: await world.createEmailLink(other) } };
      },
    },
    {
      endpoint: confirmEmail,
      about: 'with the link of a password reset',
      expected: WRONG,
      send: async (world) => ({ body: { token: await world.createLink() } }),
    },
  ],
  checkEmailLink: [
    {
      endpoint: checkEmailLink,
      expected: SIGNED_IN,
      send: async (world) => ({ body: { token: await world.createEmailLink() } }),
    },
  ],
  getPreferences: [{ endpoint: getPreferences, expected: SIGNED_IN }],
  savePreferences: [
    { endpoint: savePreferences, expected: SIGNED_IN, send: () => ({ body: { emails: { helpdesk: false } } }) },
  ],
  listOwnSessions: [{ endpoint: listOwnSessions, expected: SIGNED_IN }],
  endOwnSession: [
    {
      endpoint: endOwnSession,
      expected: SIGNED_IN,
      send: async (world, me) => ({ params: { sessionId: await world.createSession(me) } }),
    },
    {
      endpoint: endOwnSession,
      about: 'of another user',
      expected: NOT_FOUND,
      send: async (world) => ({ params: { sessionId: await world.createSession() } }),
    },
  ],
  endOtherSessions: [{ endpoint: endOtherSessions, expected: SIGNED_IN }],
  listOwnInvitations: [{ endpoint: listOwnInvitations, expected: SIGNED_IN }],
  answerInvitation: [
    {
      endpoint: answerInvitation,
      expected: SIGNED_IN,
      send: async (world, me) => ({
        params: { teamId: await world.createInvitationFor(me.email) },
        body: { accept: true },
      }),
    },
    {
      endpoint: answerInvitation,
      about: 'of a team that did not invite them',
      expected: NOT_FOUND,
      send: () => ({ params: { teamId: newId() }, body: { accept: true } }),
    },
  ],
  leaveTeam: [
    {
      endpoint: leaveTeam,
      expected: SIGNED_IN,
      send: async (world, me) => ({ params: { teamId: await world.createSecondTeamFor(me.id) } }),
    },
    { endpoint: leaveTeam, about: 'of others', expected: NOT_FOUND, send: () => ({ params: { teamId: newId() } }) },
  ],
};
