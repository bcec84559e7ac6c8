import { PENDING_INVITEE } from '@steward/contract/users/roles';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** What sign-in and resets must know of an address. */
export interface Account {
  id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  type: number;
  delete_at: number;
  is_zendesk: boolean;
}

/** The account of an address, which is lowercase already. */
export async function findAccount(db: Database | Trx, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select p.id, p.email, p.first_name, p.password_hash, p.type, p.delete_at,
      exists (select 1 from memberships m where m.person_id = p.id and 'zendesk' = any(m.roles)) as is_zendesk
    from people p where p.email = ${email}`.execute(db);
  return rows[0];
}

/** Whether the password checked a moment ago is still the account's; holds the account as it is until the commit. */
export async function lockAccount(trx: Trx, personId: string, passwordHash: string): Promise<boolean> {
  const { rows } = await sql`select 1 from people
    where id = ${personId} and password_hash = ${passwordHash} and delete_at = 0 for share`.execute(trx);
  return rows.length > 0;
}

/** Whether this account may sign in and be sent reset links. */
export function isActive(account: Account): boolean {
  return account.type === 2 && account.delete_at === 0 && !account.is_zendesk;
}

/** Whether this is somebody who was invited and has not answered yet. */
export function isInvited(account: Account): boolean {
  return account.type === PENDING_INVITEE && account.delete_at === 0 && !account.is_zendesk;
}
