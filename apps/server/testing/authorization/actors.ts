import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import type { ChannelType } from '@steward/contract/channels';
import { inTransaction } from '#platform/database/database.ts';
import type { Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { channel, file, findGeneralChannel, serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createStartedImport, deletedEntry, entry } from '#testing/workspace/directory.ts';
import { findSessionId, person, signedIn, signIn, team } from '#testing/workspace/factories.ts';
import { failedDelivery, recreateHelpdesk } from '#testing/workspace/integrations.ts';
import { createSignUp, invitee } from '#testing/workspace/signup.ts';
import { saveDeactivated } from '#workspace/people/people.store.ts';
import { addLink } from '#workspace/sessions/links.store.ts';
import { removePersonSessions } from '#workspace/sessions/sessions.store.ts';

/** Columns of the authorization matrix (trust §6). */
export type Column = 'OUT' | 'TU' | 'ZD' | 'XA' | 'TA' | 'TO';

/** Somebody who calls; new for every cell, since some calls use up a session. */
export interface Actor {
  name: string;
  column: Column;
  id: string;
  email: string;
  /** What they type as their password. */
  password: string;
  cookie: string;
}

/** What the calls of the matrix are about. */
export interface World {
  teamId: string;
  /** A member of the team who is never an actor. */
  memberId: string;
  /** A link that was not used yet. */
  createLink(): Promise<string>;
  /** A session of the member. */
  createSession(): Promise<string>;
  /** Somebody who was invited to the team. */
  createInvitee(): Promise<string>;
  /** The link of an invitation to the team, and that of a sign-up. */
  createInvitation(): Promise<string>;
  createFreshSignUp(made: { checked: boolean }): Promise<string>;
  /** An entry of the team's directory. */
  createEntry(): Promise<string>;
  /** An entry that was deleted from it just now. */
  createDeletedEntry(): Promise<string>;
  /** An import of the team that created an entry. */
  createImport(made: { startedBy: string; ended: boolean }): Promise<string>;
  /** The channel that the team has from the start. */
  generalId: string;
  /** A service token of the team, and one of another. */
  createFreshToken(): Promise<TestService>;
  foreignToken(): Promise<TestService>;
  /** A channel of the team with these people in it. */
  createFreshChannel(type: ChannelType, members: string[]): Promise<string>;
  /** The team's help desk, connected anew; and a delivery of it that failed. */
  recreateHelpdesk(): Promise<string>;
  createFreshDelivery(): Promise<string>;
  /** A file of the team. */
  createFreshFile(made: { channelId?: string; userId?: string }): Promise<string>;
}

/** A line of the matrix: one call, the status each column gets, and an example of it. */
export interface MatrixRow {
  endpoint: AnyEndpoint;
  /** What sets this line apart from others of the same call. */
  about?: string;
  expected: Record<Column, number>;
  send?: (world: World, me: Actor) => Sending | Promise<Sending>;
}

/** Name of a call → its lines. */
export type Matrix = Record<string, MatrixRow[]>;

export const ACTORS: readonly { name: string; column: Column }[] = [
  { name: 'somebody anonymous', column: 'OUT' },
  { name: 'a pending invitee', column: 'OUT' },
  { name: 'a deactivated person', column: 'OUT' },
  { name: 'the holder of a revoked cookie', column: 'OUT' },
  { name: 'a member', column: 'TU' },
  { name: 'a Zendesk user', column: 'ZD' },
  { name: 'an owner of another team', column: 'XA' },
  { name: 'an admin', column: 'TA' },
  { name: 'an owner', column: 'TO' },
];

/** Makes the team that the matrix is about. */
export async function createWorld(node: TestApp): Promise<World> {
  const teamId = await team(node);
  const member = await person(node, { team: teamId });
  const general = await findGeneralChannel(node, teamId);
  return {
    teamId,
    memberId: member.id,
    createLink: () =>
      inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', personId: member.id, teamId: null })),
    createSession: async () => findSessionId(node, await signIn(node, member)),
    createInvitee: async () => (await person(node, { team: teamId, pending: true })).id,
    createInvitation: async () => (await invitee(node, teamId)).token,
    createFreshSignUp: async (made) => (await createSignUp(node, made)).token,
    createEntry: async () => (await entry(node, teamId)).id,
    createDeletedEntry: () => deletedEntry(node, teamId),
    createImport: ({ startedBy, ended }) => createStartedImport(node, { teamId, actorId: startedBy, ended }),
    generalId: general.id,
    recreateHelpdesk: async () => (await recreateHelpdesk(node, teamId)).id,
    createFreshDelivery: () => failedDelivery(node, teamId, general),
    createFreshToken: () => serviceToken(node, teamId),
    foreignToken: async () => serviceToken(node, await team(node)),
    createFreshChannel: async (type, members) => (await channel(node, teamId, { type, members })).id,
    createFreshFile: async ({ channelId, userId = '' }) => {
      const place = channelId === undefined ? {} : { channel: { id: channelId } };
      return (await file(node, teamId, { ...place, userId })).id;
    },
  };
}

/** Makes one of `ACTORS`, with a session, dead or alive. */
export async function createActor(
  node: TestApp,
  world: World,
  { name, column }: (typeof ACTORS)[number],
): Promise<Actor> {
  if (name === 'somebody anonymous') {
    return { name, column, id: world.memberId, email: 'nobody@example.test', password: 'wrong password', cookie: '' };
  }
  const home = column === 'XA' ? await team(node) : world.teamId;
  const kind = ({ OUT: 'admin', TU: 'member', ZD: 'zendesk', XA: 'owner', TA: 'admin', TO: 'owner' } as const)[column];
  const who = await signedIn(node, { team: home, kind, pending: name === 'a pending invitee' });
  await inTransaction(node.db, async (trx) => {
    if (name === 'a deactivated person') await saveDeactivated(trx, who.id, true);
    if (name === 'the holder of a revoked cookie') await removePersonSessions(trx, who.id);
  });
  // A lost cookie does not end the account: only a wrong password keeps its holder out.
  const password = name === 'the holder of a revoked cookie' ? 'wrong password' : who.password;
  return { name, column, id: who.id, email: who.email, password, cookie: who.cookie };
}
