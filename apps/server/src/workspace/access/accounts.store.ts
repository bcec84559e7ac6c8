import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { isIntegrationMember } from '#workspace/people/managers.store.ts';
import { factorExists } from './factors/factors.store.ts';

/** An account, as sign-in and password resets need it. */
export interface Account {
  id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  create_at: number;
  /** A help desk user, who posts tickets and never signs in. */
  is_integration: boolean;
  /** Whether they are active in any team, or invited to one. */
  has_team: boolean;
  has_factor: boolean;
}

const isIntegration = sql<boolean>`exists (select from memberships m where m.person_id = p.id and ${isIntegrationMember})`;
const hasTeam = sql<boolean>`(exists (select from memberships m where m.person_id = p.id and not m.deactivated)
  or exists (select from memberships m where m.email = p.email))`;

/** Part of a statement: the account of an email address in lowercase. */
export function selectAccount(email: string): RawBuilder<Account> {
  return sql`select p.id, p.email, p.first_name, p.password_hash, p.create_at, ${isIntegration} as is_integration,
      ${hasTeam} as has_team, ${factorExists(sql.ref('p.id'))} as has_factor
    from people p where p.email = ${email}`;
}

/**
 * Part of a statement about `people p`: whether it is this account, has the password that was just checked, may sign in, and needs
 * nothing but the password.
 */
export function opensByPassword({ id, password_hash }: Pick<Account, 'id' | 'password_hash'>): RawBuilder<boolean> {
  return sql`p.id = ${id} and p.password_hash = ${password_hash} and ${hasTeam} and not ${isIntegration}
    and not ${factorExists(sql.ref('p.id'))}`;
}

/** The account of an email address in lowercase. */
export async function findAccount(db: Database | Trx, email: string): Promise<Account | undefined> {
  const [account] = await runPrepared(db, selectAccount(email));
  return account;
}

/**
 * The account, if it still has the password that was just checked, and a team; locks it until the commit, so that someone who is
 * being deactivated gets no new session.
 */
export async function lockAccount(trx: Trx, personId: string, passwordHash: string): Promise<Account | undefined> {
  const lock = sql<{ email: string }>`
    select email from people where id = ${personId} and password_hash = ${passwordHash} for share`;
  const [locked] = await runPrepared(trx, lock);
  // A statement of its own: it sees what was committed while the lock was awaited.
  const account = locked && (await findAccount(trx, locked.email));
  return account && canSignIn(account) ? account : undefined;
}

/** The account of a person, if it may sign in; locks it until the commit, as `lockAccount` does. */
export async function lockUsableAccount(trx: Trx, personId: string): Promise<Account | undefined> {
  const locked = await trx
    .selectFrom('people')
    .select('email')
    .where('id', '=', personId)
    .forShare()
    .executeTakeFirst();
  const account = locked && (await findAccount(trx, locked.email));
  return account && canSignIn(account) ? account : undefined;
}

/** Whether a person is active in any team. Invitations don't count: they are to an address. */
export async function isActiveAnywhere(db: Database | Trx, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('team_id')
    .where('person_id', '=', personId)
    .where('deactivated', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account still has this password; locks the account until the commit. */
export async function lockPassword(trx: Trx, personId: string, passwordHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this account may sign in and receive reset links. */
export function canSignIn(account: Account): boolean {
  return account.has_team && !account.is_integration;
}
