import type { AnyEndpoint } from '@steward/contract/endpoint';
import {
  cookieLogin,
  getMe,
  listStatuses,
  login,
  logout,
  resetPassword,
  sendPasswordReset,
} from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/teams';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { newId } from '#platform/ids.ts';
import type { Actor, Matrix } from './actors.ts';

/** May be called by anybody at all. */
const EVERYBODY = { OUT: 200, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
/** Needs a session of one's own. */
const SIGNED_IN = { ...EVERYBODY, OUT: 401 };
/** Belongs to admins and owners of the team in the path. */
const ADMINS = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 200, TO: 200 };
/** Never, whoever asks: the id is another person's. */
const NOBODY = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 403, TO: 403 };

const ownId = (me: Actor) => ({ params: { userId: me.id } });

/**
 * Who may do what (trust §6), one entry per call of the contract; app.test.ts walks every cell. The holder of a session
 * whose person has become a Zendesk user keeps what is theirs alone, and cannot begin another session.
 */
export const matrix: Matrix = {
  login: [
    {
      endpoint: login,
      // Those who are OUT do not have a right password, or have an account that may not sign in.
      expected: { ...SIGNED_IN, ZD: 401 },
      send: (_world, me) => ({ body: { login_id: me.email, password: me.password } }),
    },
  ],
  cookieLogin: [{ endpoint: cookieLogin, expected: { ...SIGNED_IN, ZD: 401 } }],
  getMe: [{ endpoint: getMe, expected: { ...SIGNED_IN, ZD: 401 } }],
  logout: [{ endpoint: logout, expected: EVERYBODY }],
  listStatuses: [{ endpoint: listStatuses, expected: SIGNED_IN, send: (_world, me) => ({ body: [me.id] }) }],
  sendPasswordReset: [
    { endpoint: sendPasswordReset, expected: EVERYBODY, send: () => ({ body: { email: `${newId()}@example.test` } }) },
  ],
  resetPassword: [
    {
      endpoint: resetPassword,
      // The link alone decides.
      expected: EVERYBODY,
      send: async (world) => ({ body: { token: await world.freshLink(), new_password: 'another long password' } }),
    },
  ],
  listTeams: ownAndOther(listTeams),
  listTeamMembers: ownAndOther(listTeamMembers),
  listUsers: [{ endpoint: listUsers, expected: ADMINS, send: (world) => ({ params: { teamId: world.teamId } }) }],
  saveUser: [
    {
      endpoint: saveUser,
      expected: ADMINS,
      send: (world) => ({
        params: { teamId: world.teamId },
        body: { email: `${newId()}@example.test`, account_type: 2 },
      }),
    },
  ],
  revokeSessions: [
    {
      endpoint: revokeSessions,
      expected: ADMINS,
      send: (world) => ({ params: { teamId: world.teamId, userId: world.memberId } }),
    },
  ],
};

function ownAndOther(endpoint: AnyEndpoint): Matrix[string] {
  return [
    { endpoint, expected: SIGNED_IN, send: (_world, me) => ownId(me) },
    { endpoint, about: 'of another', expected: NOBODY, send: (world) => ({ params: { userId: world.memberId } }) },
    { endpoint, about: 'of nobody', expected: NOBODY, send: () => ({ params: { userId: newId() } }) },
  ];
}
