import { inTransaction } from '#platform/database/database.ts';
import type { Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { deactivate, invite, join, signedIn, type TestUser, team, user } from '#testing/workspace/factories.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';

/** Columns of the matrix: signed out, member, integration user, admin of another team, admin, owner. */
type Column = 'OUT' | 'TU' | 'ZD' | 'XA' | 'TA' | 'TO';
export type Statuses = Record<Column, number>;

/** Created for every call that succeeds, because some end the session. */
export interface Actor {
  name: string;
  column: Column;
  id: string;
  email: string;
  password: string;
  cookie: string;
}

/** A team with a member who doesn't call, for whom rows create what they need. */
export interface World {
  node: TestApp;
  teamId: string;
  member: TestUser;
  general: TestChannel;
}

export interface MatrixRow {
  /** The difference from other rows of the same call. */
  about?: string;
  expected: Statuses;
  send?: (world: World, me: Actor) => Sending | Promise<Sending>;
}

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

export async function createWorld(node: TestApp): Promise<World> {
  const teamId = await team(node);
  return { node, teamId, member: await user(node, { team: teamId }), general: await findGeneralChannel(node, teamId) };
}

const KINDS = { OUT: 'admin', TU: 'member', ZD: 'zendesk', XA: 'owner', TA: 'admin', TO: 'owner' } as const;

/** Creates the accounts and sessions that the name of an actor describes. */
export async function createActor(node: TestApp, { teamId, member }: World, { name, column }: (typeof ACTORS)[number]) {
  const stranger = { name, column, id: member.id, cookie: '' };
  if (name === 'an anonymous caller') return { ...stranger, email: 'unknown@example.test', password: 'wrong password' };
  if (name === 'a pending invitee') {
    const { email, password } = await user(node, { team: teamId, kind: 'admin', pending: true });
    return { ...stranger, email, password };
  }
  const who = await signedIn(node, { team: column === 'XA' ? await team(node) : teamId, kind: KINDS[column] });
  if (name.includes('invited and not accepted')) await invite(node, { teamId, email: who.email, kind: 'owner' });
  if (name.includes('deactivated in this one')) await join(node, teamId, who.id, 'owner');
  if (name.includes('deactivated')) await deactivate(node, teamId, who.id);
  if (name !== 'the holder of a revoked cookie' && name !== 'a deactivated person') return { ...who, name, column };
  await inTransaction(node.db, (trx) => removeUserSessions(trx, who.id));
  // With the correct password, the holder of a revoked cookie could sign in, and a deactivated person would learn that they
  // are: deactivated.test.ts has that refusal.
  return { ...who, name, column, password: 'wrong password' };
}
