import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import type { Actor, Matrix, World } from './actors.ts';
import { channelRows } from './matrix/channels.ts';
import { connectionRows } from './matrix/connections.ts';
import { contentRows } from './matrix/content.ts';
import { deliveryRows } from './matrix/deliveries.ts';
import { holdRows } from './matrix/holds.ts';
import { inactivityRows } from './matrix/inactivity.ts';
import { integrationRows } from './matrix/integrations.ts';
import { invitationLinkRows } from './matrix/invitation-links.ts';
import { manyUsersRows } from './matrix/many-users.ts';
import { usersRows } from './matrix/people.ts';
import { privacyRows } from './matrix/privacy.ts';
import { recoveryRows } from './matrix/recovery.ts';
import { retentionRows } from './matrix/retention.ts';
import { ADMINS, forAdmins, forAll, forSignedIn, SIGNED_IN, UNKNOWN } from './matrix/rows.ts';
import { factorRows } from './matrix/sign-in/factors.ts';
import { scimRows } from './matrix/sign-in/scim.ts';
import { securityRows } from './matrix/sign-in/security.ts';
import { ssoRows } from './matrix/sign-in/sso.ts';
import { signupRows } from './matrix/signup.ts';

const ANYONE = forAll(200);
/** Refused to every role, because the id is another user's. */
const NO_ONE = { ...forAll(403), OUT: 401 };

const ownId = (me: Actor) => ({ params: { userId: me.id } });

/**
 * The expected access for each call of the contract; app.test.ts tests every cell. A user who has become an integration user
 * keeps access to their own data in an existing session, but can't start another.
 */
export const matrix: Matrix = {
  login: [
    {
      // OUT: a wrong password, or no account.
      expected: { ...SIGNED_IN, ZD: 401 },
      send: (_world, me) => ({ body: { login_id: me.email, password: me.password } }),
    },
  ],
  cookieLogin: [{ expected: { ...SIGNED_IN, ZD: 401 } }],
  getMe: [{ expected: { ...SIGNED_IN, ZD: 401 } }],
  logout: [{ expected: ANYONE }],
  listStatuses: [forSignedIn((_world, me) => ({ body: [me.id] }))],
  sendPasswordReset: [{ expected: ANYONE, send: () => ({ body: { email: `${newId()}@example.test` } }) }],
  checkResetLink: [
    {
      // Only the link is checked.
      expected: ANYONE,
      send: async (world) => ({ body: { token: await world.createLink() } }),
    },
  ],
  resetPassword: [
    {
      // Only the link is checked.
      expected: ANYONE,
      send: async (world) => ({ body: { token: await world.createLink(), new_password: 'another long password' } }),
    },
  ],
  ...signupRows,
  ...securityRows,
  listTeams: ownAndOther(),
  listTeamMembers: ownAndOther(),
  listUsers: [{ expected: ADMINS, send: (world) => ({ params: { teamId: world.teamId } }) }],
  getUser: [
    forAdmins((world) => ({ params: { userId: world.memberId } })),
    forAdmins(() => ({ params: { userId: newId() } }), UNKNOWN),
  ],
  saveUser: [
    {
      expected: ADMINS,
      send: (world) => ({
        params: { teamId: world.teamId },
        body: { email: `${newId()}@example.test`, account_type: 2 },
      }),
    },
  ],
  revokeSessions: [
    {
      expected: ADMINS,
      send: (world) => ({ params: { teamId: world.teamId, userId: world.memberId } }),
    },
  ],
  listSessions: [
    forAdmins((world) => ({ params: { userId: world.memberId } })),
    forAdmins(() => ({ params: { userId: newId() } }), UNKNOWN),
  ],
  revokeSession: [
    forAdmins(async (world) => ({
      params: { userId: world.memberId },
      body: { session_id: await world.createSession() },
    })),
    forAdmins((world) => ({ params: { userId: world.memberId }, body: { session_id: newId() } }), UNKNOWN),
  ],
  getInvitation: toInviteeParams(),
  resendInvitation: toInviteeParams(),
  cancelInvitation: toInviteeParams(),
  listFailedInvitations: [forAdmins()],
  getAttention: [forAdmins()],
  getPeopleSummary: [forAdmins()],
  getSignInSummary: [forAdmins()],
  getStorageSummary: [forAdmins()],
  getRetentionSummary: [forAdmins()],
  getIntegrationsSummary: [forAdmins()],
  listAuditEvents: [forAdmins()],
  ...channelRows,
  ...contentRows,
  ...connectionRows,
  ...scimRows,
  ...deliveryRows,
  ...factorRows,
  ...inactivityRows,
  ...integrationRows,
  ...invitationLinkRows,
  ...manyUsersRows,
  ...usersRows,
  ...privacyRows,
  ...retentionRows,
  ...holdRows,
  ...recoveryRows,
  ...ssoRows,
  listEntries: [forAdmins()],
  addEntries: [forAdmins(() => ({ body: [{ name: 'Reception' }] }))],
  saveEntries: [
    forAdmins(async (world) => ({ body: [{ id: await world.createEntry(), name: 'Front desk' }] })),
    forAdmins(() => ({ body: [{ id: newId(), name: 'x' }] }), UNKNOWN),
  ],
  removeEntry: [
    forAdmins(async (world) => ({ params: { entryId: await world.createEntry() } })),
    forAdmins(() => ({ params: { entryId: newId() } }), UNKNOWN),
  ],
  restoreEntry: [
    forAdmins(async (world) => ({ params: { entryId: await world.createDeletedEntry() } })),
    forAdmins(() => ({ params: { entryId: newId() } }), UNKNOWN),
  ],
  uploadEntries: [
    forAdmins(() => ({ body: [{ name: 'Reception' }] })),
    forAdmins(() => ({ query: { preview: '1' }, body: [{ name: 'x' }] }), { about: 'as a preview' }),
    forAdmins(() => ({ query: { import_id: newId() }, body: [{ name: 'Reception' }] }), {
      ...UNKNOWN,
      about: 'of an unknown import',
    }),
  ],
  startImport: [forAdmins(() => ({ body: { file_name: 'people.csv' } }))],
  finishImport: [
    forAdmins(async (world, me) => ({
      params: { importId: await world.createImport({ startedBy: me.id, ended: false }) },
      body: { cancelled: false, unreadable: 0 },
    })),
    forAdmins(
      async (world) => ({
        params: { importId: await world.createImport({ startedBy: world.memberId, ended: false }) },
        body: { cancelled: false, unreadable: 0 },
      }),
      { ...UNKNOWN, about: 'that another began' },
    ),
  ],
  listImports: [forAdmins()],
  getImport: [forAdmins(ended), forAdmins(unknownImport, UNKNOWN)],
  undoImport: [forAdmins(ended), forAdmins(unknownImport, UNKNOWN)],
  listKeptEntries: [forAdmins(ended), forAdmins(unknownImport, UNKNOWN)],
};

function toInviteeParams(): Matrix[string] {
  return [
    forAdmins(async (world) => ({ params: { userId: await world.createInvitee() } })),
    forAdmins(() => ({ params: { userId: newId() } }), UNKNOWN),
  ];
}

async function ended(world: World): Promise<Sending> {
  return { params: { importId: await world.createImport({ startedBy: world.memberId, ended: true }) } };
}

function unknownImport(): Sending {
  return { params: { importId: newId() } };
}

function ownAndOther(): Matrix[string] {
  return [
    forSignedIn((_world, me) => ownId(me)),
    { about: 'of another', expected: NO_ONE, send: (world) => ({ params: { userId: world.memberId } }) },
    { about: 'of an unknown user', expected: NO_ONE, send: () => ({ params: { userId: newId() } }) },
  ];
}
