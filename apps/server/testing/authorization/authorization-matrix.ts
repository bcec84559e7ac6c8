import { newId } from '#platform/database/ids.ts';
import { createStartedImport, deletedEntry, entry } from '#testing/workspace/directory.ts';
import type { Matrix, World } from './actors.ts';
import { channelRows } from './matrix/channels.ts';
import { connectionRows } from './matrix/connections.ts';
import { contentRows } from './matrix/content.ts';
import { inactivityRows } from './matrix/inactivity.ts';
import { integrationRows } from './matrix/integrations.ts';
import { manyUsersRows, newUser, usersRows } from './matrix/people.ts';
import { holdRows, privacyRows, retentionRows } from './matrix/retention.ts';
import {
  about,
  adminsAbout,
  FORBIDDEN,
  forAdmins,
  forAll,
  forAnyone,
  forSignedIn,
  memberId,
  NO_INTEGRATION,
  newAddress,
  newSession,
  resetLink,
  row,
  UNKNOWN,
  unknownId,
} from './matrix/rows.ts';
import { factorRows, scimRows, securityRows, ssoRows } from './matrix/sign-in.ts';
import { invitationLinkRows, signupRows } from './matrix/signup.ts';

const FINISHED = { body: { cancelled: false, unreadable: 0 } };
const newEntry = async ({ node, teamId }: World) => (await entry(node, teamId)).id;
const newImport = ({ node, teamId }: World, actorId: string, ended = false) =>
  createStartedImport(node, { teamId, actorId, ended });
const importRows = adminsAbout('importId', (world) => newImport(world, world.member.id, true));

/**
 * The expected access for each call of the contract; app.test.ts tests every cell. A user who has become an integration user
 * keeps access to their own data in an existing session, but can't start another.
 */
export const matrix: Matrix = {
  // OUT: a wrong password, or no account.
  login: [forSignedIn((_world, me) => ({ body: { login_id: me.email, password: me.password } }), NO_INTEGRATION)],
  cookieLogin: [forSignedIn(undefined, NO_INTEGRATION)],
  getMe: [forSignedIn(undefined, NO_INTEGRATION)],
  logout: [{ expected: forAll(200) }],
  listStatuses: [forSignedIn((_world, me) => ({ body: [me.id] }))],
  sendPasswordReset: [forAnyone(() => ({ body: { email: newAddress() } }))],
  // Only the link is checked.
  checkResetLink: [forAnyone(async (world) => ({ body: { token: await resetLink(world) } }))],
  resetPassword: [
    forAnyone(async (world) => ({ body: { token: await resetLink(world), new_password: 'another long password' } })),
  ],
  ...signupRows,
  ...securityRows,
  listTeams: ownAndOther(),
  listTeamMembers: ownAndOther(),
  listUsers: [forAdmins()],
  getUser: adminsAbout('userId', memberId),
  saveUser: [forAdmins(() => ({ body: { email: newAddress(), account_type: 2 } }))],
  revokeSessions: [forAdmins(({ member }) => ({ params: { userId: member.id } }))],
  listSessions: adminsAbout('userId', memberId),
  revokeSession: [
    forAdmins(async (world) => toSession(world, await newSession(world, world.member))),
    forAdmins((world) => toSession(world, newId()), UNKNOWN),
  ],
  getInvitation: adminsAbout('userId', newUser({ pending: true })),
  resendInvitation: adminsAbout('userId', newUser({ pending: true })),
  cancelInvitation: adminsAbout('userId', newUser({ pending: true })),
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
  ...factorRows,
  ...inactivityRows,
  ...integrationRows,
  ...invitationLinkRows,
  ...manyUsersRows,
  ...usersRows,
  ...privacyRows,
  ...retentionRows,
  ...holdRows,
  ...ssoRows,
  listEntries: [forAdmins()],
  addEntries: [forAdmins(() => ({ body: [{ name: 'Reception' }] }))],
  saveEntries: [
    forAdmins(async (world) => ({ body: [{ id: await newEntry(world), name: 'Front desk' }] })),
    forAdmins(() => ({ body: [{ id: newId(), name: 'x' }] }), UNKNOWN),
  ],
  removeEntry: adminsAbout('entryId', newEntry),
  restoreEntry: adminsAbout('entryId', ({ node, teamId }) => deletedEntry(node, teamId)),
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
    forAdmins(about('importId', (world, me) => newImport(world, me.id), FINISHED)),
    forAdmins(
      about('importId', (world) => newImport(world, world.member.id), FINISHED),
      { ...UNKNOWN, about: 'that another began' },
    ),
  ],
  listImports: [forAdmins()],
  getImport: importRows,
  undoImport: importRows,
  listKeptEntries: importRows,
};

function toSession({ member }: World, session_id: string) {
  return { params: { userId: member.id }, body: { session_id } };
}

function ownAndOther(): Matrix[string] {
  return [
    forSignedIn(about('userId', (_world, me) => me.id)),
    row('of another', FORBIDDEN, about('userId', memberId)),
    row('of an unknown user', FORBIDDEN, about('userId', unknownId)),
  ];
}
