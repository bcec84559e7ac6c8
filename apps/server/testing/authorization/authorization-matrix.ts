import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { listAuditEvents } from '@steward/contract/audit';
import {
  addEntries,
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  restoreEntry,
  saveEntries,
  startImport,
  undoImport,
  uploadEntries,
} from '@steward/contract/directory';
import {
  getAttention,
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
} from '@steward/contract/home';
import {
  checkResetLink,
  cookieLogin,
  getMe,
  listStatuses,
  login,
  logout,
  resetPassword,
  sendPasswordReset,
} from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import {
  cancelInvitation,
  getInvitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { getUser } from '@steward/contract/users/panel';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import type { Actor, Matrix, World } from './actors.ts';
import { channelRows } from './matrix/channels.ts';
import { contentRows } from './matrix/content.ts';
import { deliveryRows } from './matrix/deliveries.ts';
import { holdRows } from './matrix/holds.ts';
import { integrationRows } from './matrix/integrations.ts';
import { invitationLinkRows } from './matrix/invitation-links.ts';
import { manyUsersRows } from './matrix/many-users.ts';
import { usersRows } from './matrix/people.ts';
import { privacyRows } from './matrix/privacy.ts';
import { recoveryRows } from './matrix/recovery.ts';
import { retentionRows } from './matrix/retention.ts';
import { ADMINS, forAdmins, UNKNOWN } from './matrix/rows.ts';
import { factorRows } from './matrix/sign-in/factors.ts';
import { scimRows } from './matrix/sign-in/scim.ts';
import { securityRows } from './matrix/sign-in/security.ts';
import { ssoRows } from './matrix/sign-in/sso.ts';
import { signupRows } from './matrix/signup.ts';

const ANYONE = { OUT: 200, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const SIGNED_IN = { ...ANYONE, OUT: 401 };
/** Refused to every role, because the id is another user's. */
const NO_ONE = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 403, TO: 403 };

const ownId = (me: Actor) => ({ params: { userId: me.id } });

/**
 * The expected access for each call of the contract; app.test.ts tests every cell. A user who has become an integration user
 * keeps access to their own data in an existing session, but can't start another.
 */
export const matrix: Matrix = {
  login: [
    {
      endpoint: login,
      // OUT: a wrong password, or no account.
      expected: { ...SIGNED_IN, ZD: 401 },
      send: (_world, me) => ({ body: { login_id: me.email, password: me.password } }),
    },
  ],
  cookieLogin: [{ endpoint: cookieLogin, expected: { ...SIGNED_IN, ZD: 401 } }],
  getMe: [{ endpoint: getMe, expected: { ...SIGNED_IN, ZD: 401 } }],
  logout: [{ endpoint: logout, expected: ANYONE }],
  listStatuses: [{ endpoint: listStatuses, expected: SIGNED_IN, send: (_world, me) => ({ body: [me.id] }) }],
  sendPasswordReset: [
    { endpoint: sendPasswordReset, expected: ANYONE, send: () => ({ body: { email: `${newId()}@example.test` } }) },
  ],
  checkResetLink: [
    {
      endpoint: checkResetLink,
      // Only the link is checked.
      expected: ANYONE,
      send: async (world) => ({ body: { token: await world.createLink() } }),
    },
  ],
  resetPassword: [
    {
      endpoint: resetPassword,
      // Only the link is checked.
      expected: ANYONE,
      send: async (world) => ({ body: { token: await world.createLink(), new_password: 'another long password' } }),
    },
  ],
  ...signupRows,
  ...securityRows,
  listTeams: ownAndOther(listTeams),
  listTeamMembers: ownAndOther(listTeamMembers),
  listUsers: [{ endpoint: listUsers, expected: ADMINS, send: (world) => ({ params: { teamId: world.teamId } }) }],
  getUser: [
    forAdmins(getUser, (world) => ({ params: { userId: world.memberId } })),
    { ...forAdmins(getUser, () => ({ params: { userId: newId() } })), ...UNKNOWN },
  ],
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
  listSessions: [
    forAdmins(listSessions, (world) => ({ params: { userId: world.memberId } })),
    { ...forAdmins(listSessions, () => ({ params: { userId: newId() } })), ...UNKNOWN },
  ],
  revokeSession: [
    forAdmins(revokeSession, async (world) => ({
      params: { userId: world.memberId },
      body: { session_id: await world.createSession() },
    })),
    {
      ...forAdmins(revokeSession, (world) => ({ params: { userId: world.memberId }, body: { session_id: newId() } })),
      ...UNKNOWN,
    },
  ],
  getInvitation: toInviteeParams(getInvitation),
  resendInvitation: toInviteeParams(resendInvitation),
  cancelInvitation: toInviteeParams(cancelInvitation),
  listFailedInvitations: [forAdmins(listFailedInvitations)],
  getAttention: [forAdmins(getAttention)],
  getPeopleSummary: [forAdmins(getPeopleSummary)],
  getSignInSummary: [forAdmins(getSignInSummary)],
  getStorageSummary: [forAdmins(getStorageSummary)],
  getRetentionSummary: [forAdmins(getRetentionSummary)],
  getIntegrationsSummary: [forAdmins(getIntegrationsSummary)],
  listAuditEvents: [forAdmins(listAuditEvents)],
  ...channelRows,
  ...contentRows,
  ...scimRows,
  ...deliveryRows,
  ...factorRows,
  ...integrationRows,
  ...invitationLinkRows,
  ...manyUsersRows,
  ...usersRows,
  ...privacyRows,
  ...retentionRows,
  ...holdRows,
  ...recoveryRows,
  ...ssoRows,
  listEntries: [forAdmins(listEntries)],
  addEntries: [forAdmins(addEntries, () => ({ body: [{ name: 'Reception' }] }))],
  saveEntries: [
    forAdmins(saveEntries, async (world) => ({ body: [{ id: await world.createEntry(), name: 'Front desk' }] })),
    { ...forAdmins(saveEntries, () => ({ body: [{ id: newId(), name: 'x' }] })), ...UNKNOWN },
  ],
  removeEntry: [
    forAdmins(removeEntry, async (world) => ({ params: { entryId: await world.createEntry() } })),
    { ...forAdmins(removeEntry, () => ({ params: { entryId: newId() } })), ...UNKNOWN },
  ],
  restoreEntry: [
    forAdmins(restoreEntry, async (world) => ({ params: { entryId: await world.createDeletedEntry() } })),
    { ...forAdmins(restoreEntry, () => ({ params: { entryId: newId() } })), ...UNKNOWN },
  ],
  uploadEntries: [
    forAdmins(uploadEntries, () => ({ body: [{ name: 'Reception' }] })),
    { ...forAdmins(uploadEntries, () => ({ query: { preview: '1' }, body: [{ name: 'x' }] })), about: 'as a preview' },
    {
      ...forAdmins(uploadEntries, () => ({ query: { import_id: newId() }, body: [{ name: 'Reception' }] })),
      ...UNKNOWN,
      about: 'of an unknown import',
    },
  ],
  startImport: [forAdmins(startImport, () => ({ body: { file_name: 'people.csv' } }))],
  finishImport: [
    forAdmins(finishImport, async (world, me) => ({
      params: { importId: await world.createImport({ startedBy: me.id, ended: false }) },
      body: { cancelled: false, unreadable: 0 },
    })),
    {
      ...forAdmins(finishImport, async (world) => ({
        params: { importId: await world.createImport({ startedBy: world.memberId, ended: false }) },
        body: { cancelled: false, unreadable: 0 },
      })),
      ...UNKNOWN,
      about: 'that another began',
    },
  ],
  listImports: [forAdmins(listImports)],
  getImport: [forAdmins(getImport, ended), { ...forAdmins(getImport, unknownImport), ...UNKNOWN }],
  undoImport: [forAdmins(undoImport, ended), { ...forAdmins(undoImport, unknownImport), ...UNKNOWN }],
  listKeptEntries: [forAdmins(listKeptEntries, ended), { ...forAdmins(listKeptEntries, unknownImport), ...UNKNOWN }],
};

function toInviteeParams(endpoint: AnyEndpoint): Matrix[string] {
  return [
    forAdmins(endpoint, async (world) => ({ params: { userId: await world.createInvitee() } })),
    { ...forAdmins(endpoint, () => ({ params: { userId: newId() } })), ...UNKNOWN },
  ];
}

async function ended(world: World): Promise<Sending> {
  return { params: { importId: await world.createImport({ startedBy: world.memberId, ended: true }) } };
}

function unknownImport(): Sending {
  return { params: { importId: newId() } };
}

function ownAndOther(endpoint: AnyEndpoint): Matrix[string] {
  return [
    { endpoint, expected: SIGNED_IN, send: (_world, me) => ownId(me) },
    { endpoint, about: 'of another', expected: NO_ONE, send: (world) => ({ params: { userId: world.memberId } }) },
    { endpoint, about: 'of an unknown user', expected: NO_ONE, send: () => ({ params: { userId: newId() } }) },
  ];
}
