import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

interface RoleState {
  exists: boolean;
  /** True for superusers, the owner of the tables and its members. */
  isOwner: boolean;
}

export async function findRole(db: Database, role: string): Promise<RoleState> {
  const { rows } = await sql<{ is_owner: boolean }>`
    select rolsuper or pg_has_role(rolname, (select relowner from pg_class where oid = 'audit_events'::regclass), 'MEMBER')
      as is_owner
    from pg_roles where rolname = ${role}`.execute(db);
  return { exists: rows.length > 0, isOwner: rows[0]?.is_owner === true };
}

/** Tables that the role may add to and read, but not change. */
const FINAL = ['audit_events', 'audit_chain'];
/** Tables that the role may only read. */
const MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];
const QUEUE = 'pgboss';

/**
 * Grants a role the rights that a server needs and revokes all others on these objects. The role owns nothing, so it can't
 * alter or drop the triggers that protect the audit log.
 */
export async function grantServerRights(db: Database, role: string): Promise<void> {
  const to = sql.id(role);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const schema of [rows[0]?.schema ?? 'public', QUEUE]) {
    const name = sql.id(schema);
    await sql`revoke all on schema ${name} from ${to}`.execute(db);
    await sql`grant usage on schema ${name} to ${to}`.execute(db);
    await sql`revoke all on all tables in schema ${name} from ${to}`.execute(db);
    await sql`grant select, insert, update, delete on all tables in schema ${name} to ${to}`.execute(db);
    await sql`grant usage, select on all sequences in schema ${name} to ${to}`.execute(db);
    await sql`grant execute on all functions in schema ${name} to ${to}`.execute(db);
  }
  const list = (tables: readonly string[]) => sql.join(tables.map((table) => sql.id(table)));
  await sql`revoke update, delete on ${list(FINAL)} from ${to}`.execute(db);
  await sql`revoke insert, update, delete on ${list(MIGRATIONS)} from ${to}`.execute(db);
}
