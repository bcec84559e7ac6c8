import { newId } from '#platform/database/ids.ts';
import { encodePng, paint } from '#testing/images/images.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { ADMINS, forAdmins, forSignedIn, NOT_FOUND, OWNERS, UNKNOWN, WRONG } from './rows.ts';

function onUsers({ body, ...state }: { deactivated?: boolean; body?: object } = {}): Matrix[string] {
  const target = (create: (world: World) => Promise<string>) =>
    forAdmins(async (world) => ({ params: { userId: await create(world) }, ...(body && { body }) }));
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

const makeOwner = (about: MatrixRow['about'], create: (world: World) => Promise<string>): MatrixRow =>
  forAdmins(async (world) => ({ params: { userId: await create(world) }, body: { owner: true } }), {
    ...(about === undefined ? {} : { about }),
    expected: OWNERS,
  });

export const usersRows: Matrix = {
  listSignIns: [forAdmins()],
  deactivateUser: onUsers(),
  reactivateUser: onUsers({ deactivated: true, body: { ends_on: null } }),
  removeUser: onUsers(),
  setOwner: [
    makeOwner(undefined, (world) => world.createMember({})),
    { ...makeOwner('of an unknown id', async () => newId()), expected: { ...OWNERS, TA: 404, TO: 404 } },
    { ...makeOwner('of a pending invitee', (world) => world.createInvitee()), expected: { ...OWNERS, TO: 409 } },
  ],
  saveProfile: [forSignedIn(() => ({ body: { first_name: 'Ada', last_name: 'Lovelace' } }))],
  savePicture: [
    forSignedIn(() => ({ headers: { 'content-type': 'image/png' }, text: encodePng(paint(2, 2, () => [9, 9, 9])) })),
  ],
  removePicture: [forSignedIn()],
  changePassword: [
    forSignedIn((_world, me) => ({ body: { current_password: me.password, new_password: 'another long password' } })),
    {
      about: 'with a wrong current password',
      expected: WRONG,
      send: () => ({ body: { current_password: 'a wrong one', new_password: 'another long password' } }),
    },
  ],
  requestEmailChange: [
    forSignedIn((_world, me) => ({ body: { email: `${newId()}@example.test`, password: me.password } })),
    {
      about: 'with a wrong password',
      expected: WRONG,
      send: () => ({ body: { email: `${newId()}@example.test`, password: 'a wrong one' } }),
    },
  ],
  confirmEmail: [
    forSignedIn(async (world, me) => ({ body: { token: await world.createEmailLink(me.id) } })),
    {
      about: 'with the link of another account',
      expected: { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 403, TO: 403 },
      send: async (world) => {
        const other = await world.createMember({});
        return { body: { token: await world.createEmailLink(other) } };
      },
    },
    {
      about: 'with the link of a password reset',
      expected: WRONG,
      send: async (world) => ({ body: { token: await world.createLink() } }),
    },
  ],
  checkEmailLink: [forSignedIn(async (world) => ({ body: { token: await world.createEmailLink() } }))],
  getPreferences: [forSignedIn()],
  savePreferences: [forSignedIn(() => ({ body: { emails: { helpdesk: false } } }))],
  listOwnSessions: [forSignedIn()],
  endOwnSession: [
    forSignedIn(async (world, me) => ({ params: { sessionId: await world.createSession(me) } })),
    {
      about: 'of another user',
      expected: NOT_FOUND,
      send: async (world) => ({ params: { sessionId: await world.createSession() } }),
    },
  ],
  endOtherSessions: [forSignedIn()],
  listOwnInvitations: [forSignedIn()],
  answerInvitation: [
    forSignedIn(async (world, me) => ({
      params: { teamId: await world.createInvitationFor(me.email) },
      body: { accept: true },
    })),
    {
      about: 'of a team that did not invite them',
      expected: NOT_FOUND,
      send: () => ({ params: { teamId: newId() }, body: { accept: true } }),
    },
  ],
  leaveTeam: [
    forSignedIn(async (world, me) => ({ params: { teamId: await world.createSecondTeamFor(me.id) } })),
    { about: 'of others', expected: NOT_FOUND, send: () => ({ params: { teamId: newId() } }) },
  ],
};
