import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '#migrations/index.ts';
import type { Database } from './database.ts';

/**
 * Brings the schema up to date. Safe to call from every node at once: the runner takes a lock in the database,
 * and a second run does nothing. Throws with the name of the migration that failed. `to` names the last one to apply; the
 * newest by default.
 */
export async function migrate(db: Database, to?: string): Promise<string[]> {
  await sql`set lock_timeout = '2s'`.execute(db).catch(() => {});
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'unknown';
    throw new Error(`Migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/** Whether this version knows a migration. */
export function hasMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}
