import { PENDING_INVITEE } from '@steward/contract/users/roles';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** An account, as sign-in and password resets need it. */
export interface Account {
  id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  type: number;
  delete_at: number;
  is_zendesk: boolean;
}

/** The account of an email address in lowercase. */
export async function findAccount(db: Database | Trx, email: string): Promise<Account | undefined> {
  const isZendesk = sql<boolean>`exists (select 1 from memberships m where m.person_id = p.id and 'zendesk' = any(m.roles))`;
  return db
    .selectFrom('people as p')
    .select(['p.id', 'p.email', 'p.first_name', 'p.password_hash', 'p.type', 'p.delete_at', isZendesk.as('is_zendesk')])
    .where('p.email', '=', email)
    .executeTakeFirst();
}

/** Whether the account still has the password that was just checked; locks the account until the commit. */
export async function lockAccount(trx: Trx, personId: string, passwordHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('password_hash', '=', passwordHash)
    .where('delete_at', '=', 0)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this account may sign in and receive reset links. */
export function isActive(account: Account): boolean {
  return account.type === 2 && account.delete_at === 0 && !account.is_zendesk;
}

/** Whether this person was invited and hasn't accepted yet. */
export function isInvited(account: Account): boolean {
  return account.type === PENDING_INVITEE && account.delete_at === 0 && !account.is_zendesk;
}
