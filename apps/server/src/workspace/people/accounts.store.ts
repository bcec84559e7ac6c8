import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** An account, as sign-in and password resets need it. */
export interface Account {
  id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  create_at: number;
  /** A help desk user, who posts tickets and never signs in. */
  is_zendesk: boolean;
  /** Whether they are active in any team, or invited to one. */
  has_team: boolean;
}

const isZendesk = sql<boolean>`exists (select 1 from memberships m where m.person_id = p.id and 'zendesk' = any(m.roles))`;
const hasTeam = sql<boolean>`(exists (select 1 from memberships m where m.person_id = p.id and not m.deactivated)
  or exists (select 1 from memberships m where m.email = p.email))`;

/** The account of an email address in lowercase. */
export async function findAccount(db: Database | Trx, email: string): Promise<Account | undefined> {
  return db
    .selectFrom('people as p')
    .select(['p.id', 'p.email', 'p.first_name', 'p.password_hash', 'p.create_at'])
    .select([isZendesk.as('is_zendesk'), hasTeam.as('has_team')])
    .where('p.email', '=', email)
    .executeTakeFirst();
}

/**
 * Whether the account still has the password that was just checked, and a team; locks the account until the commit, so that
 * someone who is being deactivated gets no new session.
 */
export async function lockAccount(trx: Trx, personId: string, passwordHash: string): Promise<boolean> {
  const locked = await trx
    .selectFrom('people')
    .select('email')
    .where('id', '=', personId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  // A statement of its own: it sees what was committed while the lock was awaited.
  const account = locked && (await findAccount(trx, locked.email));
  return account !== undefined && canSignIn(account);
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
  return account.has_team && !account.is_zendesk;
}
