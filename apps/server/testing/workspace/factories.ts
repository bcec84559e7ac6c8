import { hash } from '@node-rs/argon2';
import type { Role } from '@steward/contract/users/roles';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { hashPassword } from '#platform/security/passwords.ts';
import { hashToken } from '#platform/security/secrets.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addSession } from '#testing/sessions/sessions.ts';
import { addUsersToTeam } from '#workspace/users/add-members.actions.ts';
import { addInvitations, addMembership, saveDeactivated } from '#workspace/users/memberships.store.ts';
import { addTeam } from '#workspace/users/teams.store.ts';
import { addUser, type UserInsert } from '#workspace/users/users.store.ts';

export const PASSWORD = 'correct horse battery';

export const ROLES = {
  owner: ['team_user', 'team_admin', 'team_owner'],
  admin: ['team_user', 'team_admin'],
  member: ['team_user'],
  zendesk: ['zendesk'],
} as const satisfies Record<string, readonly Role[]>;

export interface TestUser {
  id: string;
  email: string;
  password: string;
}

export interface SignedInUser extends TestUser {
  token: string;
  /** Both cookies, as a browser sends them. */
  cookie: string;
}

export interface UserOptions {
  /** Team to belong to: by default a new one, since an account without a team can't sign in; null for none. */
  team?: string | null;
  kind?: keyof typeof ROLES;
  email?: string;
  first_name?: string;
  last_name?: string;
  password?: string;
  /** Invited without an account. The id is that of the invitation. */
  pending?: boolean;
  deactivated?: boolean;
}

export function team(node: TestApp, displayName = `Team ${newId()}`): Promise<string> {
  return inTransaction(node.db, (trx) => addTeam(trx, { display_name: displayName }));
}

/** A hash names its settings: with the smallest ones, a sign-in of a test takes no 30 ms of processor time. */
const defaultHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1 });

export async function user(node: TestApp, options: UserOptions = {}): Promise<TestUser> {
  const { password = PASSWORD, email = `${newId()}@example.test` } = options;
  const password_hash = await (password === PASSWORD ? defaultHash : hashPassword(password));
  const names = { first_name: options.first_name ?? 'Some', last_name: options.last_name ?? 'Body' };
  const teamId = options.team === undefined ? await team(node) : options.team;
  if (options.pending) {
    if (teamId === null) throw new Error('an invitation needs a team');
    return { id: await invite(node, { ...names, teamId, email, kind: options.kind }), email, password };
  }
  return inTransaction(node.db, async (trx) => {
    const id = await addUser(trx, { email, ...names, password_hash });
    if (id === undefined) throw new Error(`${email} exists already`);
    if (teamId === null) return { id, email, password };
    await addMembership(trx, membership(teamId, id, options.kind));
    if (options.deactivated) await saveDeactivated(trx, { teamId, userId: id, deactivated: true });
    return { id, email, password };
  });
}

interface Invited extends Pick<UserOptions, 'first_name' | 'last_name'> {
  teamId: string;
  email: string;
  kind?: keyof typeof ROLES | undefined;
}

/** Sends no email. Returns the id of the invitation. */
export async function invite(node: TestApp, { teamId, kind = 'member', ...rest }: Invited): Promise<string> {
  const ids = await inTransaction(node.db, (trx) =>
    addInvitations(trx, { teamId, invitedBy: null }, [{ ...rest, roles: ROLES[kind] }]),
  );
  const id = ids.get(rest.email);
  if (id === undefined) throw new Error(`${rest.email} is invited already`);
  return id;
}

/** Leaves the sessions, unlike a deactivation by an admin. */
export async function deactivate(node: TestApp, teamId: string, userId: string): Promise<void> {
  await inTransaction(node.db, (trx) => saveDeactivated(trx, { teamId, userId, deactivated: true }));
}

export async function join(node: TestApp, teamId: string, userId: string, kind?: keyof typeof ROLES): Promise<void> {
  await inTransaction(node.db, (trx) => addMembership(trx, membership(teamId, userId, kind)));
}

function membership(teamId: string, userId: string, kind: keyof typeof ROLES = 'member') {
  return { teamId, userId, roles: ROLES[kind] };
}

/** Skips the password, because sign-in has its own tests; also as by single sign-on, or with a second factor. */
export async function signIn(
  node: TestApp,
  who: TestUser,
  { sso, hasSecondFactor = false }: { sso?: { teamId: string; connectionId: string }; hasSecondFactor?: boolean } = {},
): Promise<SignedInUser> {
  const token = await addSession(node, {
    userId: who.id,
    deviceId: '',
    userAgent: 'Firefox/1 (Linux)',
    address: '192.0.2.7',
    hasSecondFactor,
    ...(sso && { method: 'sso', sso: { ...sso, idpSid: null, authTime: null } }),
  });
  return { ...who, token, cookie: `steward_token=${token}; steward_user=${who.id}` };
}

export async function findSessionId(node: TestApp, { token }: { token: string }): Promise<string> {
  const hash = hashToken(token);
  return (await node.db.selectFrom('sessions').select('id').where('token_hash', '=', hash).executeTakeFirstOrThrow())
    .id;
}

export async function signedIn(node: TestApp, options: UserOptions = {}): Promise<SignedInUser> {
  return signIn(node, await user(node, options));
}

export type TestTeam = Awaited<ReturnType<typeof createTeamWithMembers>>;

/** A team with a user of each kind, all signed in except the pending one. */
export async function createTeamWithMembers(node: TestApp, displayName?: string) {
  const id = await team(node, displayName);
  return {
    id,
    owner: await signedIn(node, { team: id, kind: 'owner' }),
    admin: await signedIn(node, { team: id, kind: 'admin' }),
    member: await signedIn(node, { team: id }),
    zendesk: await signedIn(node, { team: id, kind: 'zendesk' }),
    pending: await user(node, { team: id, pending: true }),
  };
}

/** A member for tests of lists, who can't sign in. */
function listed(fields: Partial<UserInsert>): UserInsert {
  const id = newId();
  const account = { type: 2, apps: '{}', create_at: Date.UTC(2024, 0, 1), delete_at: 0, presence: null };
  const names = { first_name: 'Some', last_name: 'Body', email: `${id}@example.test` };
  return { id, ...names, ...account, roles: ['team_user'], ...fields };
}

/** Names are Person 0001, Person 0002, … */
export async function addMembers(node: TestApp, teamId: string, count: number): Promise<void> {
  const users = Array.from({ length: count }, (_, at) =>
    listed({ first_name: 'Person', last_name: String(at + 1).padStart(4, '0') }),
  );
  await inTransaction(node.db, (trx) => addUsersToTeam(trx, teamId, users));
}

export async function addMember(node: TestApp, teamId: string, fields: Partial<UserInsert>): Promise<void> {
  await inTransaction(node.db, (trx) => addUsersToTeam(trx, teamId, [listed(fields)]));
}
