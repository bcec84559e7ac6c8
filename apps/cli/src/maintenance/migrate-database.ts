import { findRole, grantServerRights } from '@steward/server/src/migrations/server-role.ts';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { migrateQueue } from '@steward/server/src/platform/jobs/jobs.ts';
import { z } from 'zod';
import { type Command, Mistake } from '../command.ts';
import { read } from '../option-schemas.ts';

const roleName = z.string().min(1, 'must not be empty').max(63, 'must have at most 63 characters');

/** Updates the schema of the database and of the job queue, and can prepare a role for the server. */
export const migrateDatabase: Command = {
  summary: 'Update the database schema (every start does this too)',
  notes: [
    '--grant is for a server whose database role is not the owner of the tables. It gives the role all rights that a server\n' +
      'needs and no others: it can read and add rows of the audit log, but not change or remove them, and it can alter nothing.\n' +
      'Run this as the owner, again with each upgrade, before the new version starts.',
  ],
  options: { grant: { value: 'role', help: 'Then give this database role the rights to run a server, and no others' } },
  prepare: (given) => {
    const role = given.grant === undefined ? undefined : read(roleName, 'grant', given.grant);
    return async (workspace) => {
      const { migrated, connection } = workspace;
      if (role !== undefined) await requirePlainRole(workspace.db, role);
      await migrateQueue(connection);
      const lines = migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Applied ${name}.`);
      if (role === undefined) return { result: { migrated }, lines };
      await inTransaction(workspace.db, (trx) => grantServerRights(trx, role));
      return { result: { migrated, granted: role }, lines: [...lines, `The role ${role} can run a server.`] };
    };
  },
};

/** Refuses a missing role, and roles with more rights than can be granted. */
async function requirePlainRole(db: Database, role: string): Promise<void> {
  const { exists, isOwner } = await findRole(db, role);
  if (!exists) throw new Mistake(`There is no database role ${role}. Create it first.`);
  if (isOwner)
    throw new Mistake(`The role ${role} owns the tables or may do anything: use another one for the server.`);
}
