import type { ChannelType } from '@steward/contract/channels';
import { sql } from 'kysely';
import { addGroup } from '#features/scim/groups/groups.store.ts';
import { saveException } from '#features/users/inactivity/rule.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { findNewestSession, passkey, pendingTotp, totpFactor } from '#testing/factors/factors.ts';
import { scimToken } from '#testing/peers/scim.ts';
import { arrivedMember, linkedMember, provableDomain, replaceConnection } from '#testing/sso/sso.ts';
import { archivedRun } from '#testing/workspace/archives.ts';
import { connectedInvitation, connectedServer, connectedWork, filledServer } from '#testing/workspace/connections.ts';
import { channel, complianceAccess, file, findGeneralChannel, serviceToken } from '#testing/workspace/content.ts';
import { createStartedImport, deletedEntry, entry } from '#testing/workspace/directory.ts';
import {
  findSessionId,
  invite,
  join,
  signedIn,
  signIn,
  type TestUser,
  team,
  type UserOptions,
  user,
} from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { activitySource, inactivityNight, inactivityWarning } from '#testing/workspace/inactivity.ts';
import { failedDelivery, recreateHelpdesk } from '#testing/workspace/integrations.ts';
import { invitationLink } from '#testing/workspace/invitation-links.ts';
import { createSignUp, invitee } from '#testing/workspace/signup.ts';
import { type ChallengePurpose, newChallenge } from '#workspace/access/factors/challenges.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';
import { saveDeactivated } from '#workspace/users/memberships.store.ts';
import { savePicture } from '#workspace/users/pictures.store.ts';
import { saveAdminsMayCreateTokens } from '#workspace/users/teams.store.ts';

/** An export that is not written yet. */
async function holdExport(
  node: TestApp,
  { teamId, holdId, requestedBy }: { teamId: string; holdId: string; requestedBy: string },
): Promise<string> {
  const id = newId();
  await node.db
    .insertInto('privacy_exports')
    .values({ team_id: teamId, id, about: 'hold', person_id: holdId, requested_by: requestedBy })
    .execute();
  return id;
}

/** Columns of the matrix: signed out, member, integration user, admin of another team, admin, owner. */
export type Column = 'OUT' | 'TU' | 'ZD' | 'XA' | 'TA' | 'TO';

/** Created for every call that succeeds, because some end the session. */
export interface Actor {
  name: string;
  column: Column;
  id: string;
  email: string;
  /** The password that the actor enters. */
  password: string;
  cookie: string;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

export interface MatrixRow {
  /** The difference from other rows of the same call. */
  about?: string;
  expected: Record<Column, number>;
  send?: (world: World, me: Actor) => Sending | Promise<Sending>;
}

/** Rows by name of the call. */
export type Matrix = Record<string, MatrixRow[]>;

export const ACTORS: readonly { name: string; column: Column }[] = [
  { name: 'an anonymous caller', column: 'OUT' },
  { name: 'a pending invitee', column: 'OUT' },
  { name: 'a deactivated person', column: 'OUT' },
  { name: 'the holder of a revoked cookie', column: 'OUT' },
  { name: 'a member', column: 'TU' },
  { name: 'a Zendesk user', column: 'ZD' },
  { name: 'an owner of another team', column: 'XA' },
  { name: 'an owner of another team, invited and not accepted', column: 'XA' },
  { name: 'an owner of another team, deactivated in this one', column: 'XA' },
  { name: 'an admin', column: 'TA' },
  { name: 'an owner', column: 'TO' },
];

/** A team, and what a call of its matrix row needs. */
export async function createWorld(node: TestApp) {
  const teamId = await team(node);
  const member = await user(node, { team: teamId });
  const general = await findGeneralChannel(node, teamId);
  return {
    teamId,
    memberId: member.id,
    createLink: () => inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: member.id, teamId: null })),
    /** Of the member, or of another user. */
    createEmailLink: (userId = member.id) =>
      inTransaction(node.db, (trx) =>
        addLink(trx, { kind: 'email', userId, teamId: null, email: `${newId()}@example.test` }),
      ),
    /** A session of the member, or of another user. */
    createSession: async (of: TestUser = member) => findSessionId(node, await signIn(node, of)),
    createPicture: (userId: string) => inTransaction(node.db, (trx) => savePicture(trx, userId, Buffer.from('WebP'))),
    /** An authenticator app that the user's sessions were confirmed with. */
    createTotp: async (userId: string) => void (await totpFactor(node, userId)),
    /** Returns the secret of an app that isn't set up yet. */
    startTotp: (userId: string) => pendingTotp(node, userId),
    /** A passkey that the user's sessions were confirmed with. */
    createPasskey: (userId: string, origin: string) => passkey(node, userId, origin),
    createChallenge: (purpose: ChallengePurpose) => newChallenge(node.deps.secrets, purpose).toString('base64url'),
    /** For a passkey that the user's newest session creates. */
    createChallengeFor: async (userId: string) =>
      newChallenge(node.deps.secrets, {
        kind: 'create',
        sessionId: await findNewestSession(node, userId),
      }).toString('base64url'),
    createMember: async (options: Pick<UserOptions, 'kind' | 'deactivated'>) =>
      (await user(node, { team: teamId, ...options })).id,
    createDeactivatedMember: () => user(node, { team: teamId, deactivated: true }),
    createUserExport: (requestedBy: string) => userExport(node, { teamId, userId: member.id, requestedBy }),
    createHold: () => legalHold(node, { teamId, userIds: [member.id] }),
    createHoldExport: (options: { holdId: string; requestedBy: string }) => holdExport(node, { teamId, ...options }),
    createArchivedRun: () => archivedRun(node, teamId),
    /** Creates another team, which has invited the address. */
    createInvitationFor: async (email: string) => {
      const inviting = await team(node);
      await invite(node, { teamId: inviting, email });
      return inviting;
    },
    createSecondTeamFor: async (userId: string) => {
      const second = await team(node);
      // An anonymous caller is refused earlier.
      if (userId !== member.id) await join(node, second, userId);
      return second;
    },
    createInvitee: async () => (await user(node, { team: teamId, pending: true })).id,
    createInvitation: async () => (await invitee(node, teamId)).token,
    createInvitationLink: async () => {
      const { id: createdBy } = await user(node, { team: teamId, kind: 'admin' });
      return invitationLink(node, { teamId, createdBy });
    },
    createForeignInvitationLink: async () => {
      const foreign = await team(node);
      const { id: createdBy } = await user(node, { team: foreign, kind: 'admin' });
      return invitationLink(node, { teamId: foreign, createdBy });
    },
    createFreshSignUp: async (options: { checked: boolean }) => (await createSignUp(node, options)).token,
    createActivitySource: () => activitySource(node, teamId),
    createException: async () => {
      const { id } = await user(node, { team: teamId });
      await inTransaction(node.db, (trx) =>
        saveException(trx, { teamId, userId: id, addedBy: member.id, reason: 'Sabbatical', until: null }),
      );
      return id;
    },
    createInactivityNight: (state: 'asks' | 'done') => inactivityNight(node, teamId, state),
    createWarning: async () => inactivityWarning(node, { teamId, userId: (await user(node, { team: teamId })).id }),
    createEntry: async () => (await entry(node, teamId)).id,
    createDeletedEntry: () => deletedEntry(node, teamId),
    createImport: ({ startedBy, ended }: { startedBy: string; ended: boolean }) =>
      createStartedImport(node, { teamId, actorId: startedBy, ended }),
    generalId: general.id,
    /** Reconnects the team's help desk. */
    recreateHelpdesk: async () => (await recreateHelpdesk(node, teamId)).id,
    createFreshDelivery: () => failedDelivery(node, teamId, general),
    createFreshToken: () => serviceToken(node, teamId),
    foreignToken: async () => serviceToken(node, await team(node)),
    createScimToken: async () => (await scimToken(node, teamId, member.id)).id,
    /** A group of the identity provider without members. */
    createScimGroup: () =>
      inTransaction(node.db, (trx) => addGroup(trx, { teamId, displayName: 'Engineering', externalId: null })),
    createForeignScimToken: async () => (await scimToken(node, await team(node), member.id)).id,
    letAdminsCreateTokens: (may: boolean) =>
      inTransaction(node.db, (trx) => saveAdminsMayCreateTokens(trx, teamId, may)),
    createFreshChannel: async (type: ChannelType, members: string[]) =>
      (await channel(node, teamId, { type, members })).id,
    /** A completed bulk change. `endJobs` ends running ones, because a team can have only one at a time. */
    createJob: () => endedJob(node, teamId),
    endJobs: () => endJobs(node, teamId),
    /** A private channel that the member may read with compliance access. */
    createComplianceAccess: async () => {
      const place = await channel(node, teamId, { type: 'P' });
      await complianceAccess(node, teamId, { channelId: place.id, userId: member.id });
      return place.id;
    },
    createFreshFile: async ({ channelId, userId = '' }: { channelId?: string; userId?: string }) => {
      const place = channelId === undefined ? {} : { channel: { id: channelId } };
      return (await file(node, teamId, { ...place, userId })).id;
    },
    /** A domain with an existing DNS record, and a connection to an unreachable provider. */
    createDomain: () => provableDomain(node, teamId),
    createConnection: () => replaceConnection(node, teamId),
    /** The cookie of a single sign-on that waits for the user to continue. */
    createArrivedMember: () => arrivedMember(node, teamId),
    /** A connected server whose messages were listed, one with an order that waits for permits, and one that nobody accepted. */
    createFilledServer: () => filledServer(node, { teamId, acceptedBy: member.id }),
    createReadyServer: () => filledServer(node, { teamId, acceptedBy: member.id, ready: true }),
    createWaitingServer: () => connectedServer(node, { teamId, acceptedBy: null }),
    /** Links an invitation to a user of the server. */
    linkUser: (serverId: string, remoteUserId: string) => connectedInvitation(node, { teamId, serverId, remoteUserId }),
    createWork: (serverId: string) => connectedWork(node, { teamId, serverId, askedBy: member.id }),
    createLinkedMember: () => linkedMember(node, teamId),
  };
}

/** The session is active or revoked, by the name of the actor. */
export async function createActor(
  node: TestApp,
  world: World,
  { name, column }: (typeof ACTORS)[number],
): Promise<Actor> {
  if (name === 'an anonymous caller') {
    return { name, column, id: world.memberId, email: 'unknown@example.test', password: 'wrong password', cookie: '' };
  }
  if (name === 'a pending invitee') {
    const { email, password } = await user(node, { team: world.teamId, kind: 'admin', pending: true });
    return { name, column, id: world.memberId, email, password, cookie: '' };
  }
  const home = column === 'XA' ? await team(node) : world.teamId;
  const kind = ({ OUT: 'admin', TU: 'member', ZD: 'zendesk', XA: 'owner', TA: 'admin', TO: 'owner' } as const)[column];
  const who = await signedIn(node, { team: home, kind });
  await restrict(node, world.teamId, { name, ...who });
  // With the correct password, the holder of a revoked cookie could sign in, and a deactivated person would learn that they
  // are: deactivated.test.ts has that refusal.
  const hasLost = name === 'the holder of a revoked cookie' || name === 'a deactivated person';
  const password = hasLost ? 'wrong password' : who.password;
  return { name, column, id: who.id, email: who.email, password, cookie: who.cookie };
}

/** Restricts an actor's access to the team as the name says. */
async function restrict(
  node: TestApp,
  teamId: string,
  { name, id, email }: { name: string; id: string; email: string },
): Promise<void> {
  if (name.includes('invited and not accepted')) await invite(node, { teamId, email, kind: 'owner' });
  if (name.includes('deactivated in this one')) await join(node, teamId, id, 'owner');
  await inTransaction(node.db, async (trx) => {
    if (name.includes('deactivated')) await saveDeactivated(trx, { teamId, userId: id, deactivated: true });
    if (name === 'a deactivated person' || name === 'the holder of a revoked cookie') await removeUserSessions(trx, id);
  });
}

/** An export that is not written yet. `teamId` is '' for a user's own. */
async function userExport(
  node: TestApp,
  { teamId, userId, requestedBy }: { teamId: string; userId: string; requestedBy: string },
): Promise<string> {
  const id = newId();
  const row = { team_id: teamId, id, person_id: userId, requested_by: requestedBy };
  await node.db
    .insertInto('privacy_exports')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}

/** A completed bulk change. Returns its id. */
async function endedJob(node: TestApp, teamId: string): Promise<string> {
  const id = newId();
  await sql`insert into user_jobs (team_id, id, action, started_by, user_ids, joined_until, state, total, ended_at)
    values (${teamId}, ${id}, 'revoke', ${newId()}, '{}', 0, 'done', 0, now())`.execute(node.db);
  return id;
}

async function endJobs(node: TestApp, teamId: string): Promise<void> {
  await sql`update user_jobs set state = 'done', ended_at = now() where team_id = ${teamId} and ended_at is null`.execute(
    node.db,
  );
}
