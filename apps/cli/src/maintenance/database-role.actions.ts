import { findRole, grantServerRights } from '@steward/server/src/migrations/server-role.ts';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { Mistake } from '../command.ts';

/** Refuses a role that is missing, or that has more rights than can be granted. */
export async function requirePlainRole(db: Database, role: string): Promise<void> {
  const { exists, isOwner } = await findRole(db, role);
  if (!exists) throw new Mistake(`There is no database role ${role}. Create it first.`);
  if (isOwner)
    throw new Mistake(`The role ${role} owns the tables or may do anything: use another one for the server.`);
}

/** Gives a role the rights that a server needs, all at once. */
export async function grantServer(db: Database, role: string): Promise<void> {
  await inTransaction(db, (trx) => grantServerRights(trx, role));
}
