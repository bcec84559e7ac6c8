import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { concurrent, migrations } from '#migrations/index.ts';
import type { Database } from './database.ts';

/** Key of the lock that lets one process migrate at a time; any number that nothing else of ours uses. */
const LOCK = 7_314_205;
/** Between two tries for it. */
const AGAIN_MS = 100;

/**
 * Brings the schema up to date. Safe to call from every node at once: one migrates, the others wait for it, and a second run
 * does nothing. A database that a newer version has migrated is left as it is. Throws with the name of the migration that
 * failed. `to` names the last one to apply; the newest by default.
 */
export async function migrate(db: Database, to?: string): Promise<string[]> {
  return db.connection().execute(async (session) => {
    await lock(session);
    try {
      return await applyPending(session, to);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(session);
    }
  });
}

/** Whether this version knows a migration. */
export function hasMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/**
 * Asks until the lock is there. Waiting for it in a statement would hold a snapshot, for the end of which an index that is built
 * concurrently waits: neither would ever come to an end.
 */
async function lock(session: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(session);
    if (rows[0]?.locked) return;
    await delay(AGAIN_MS);
  }
}

async function applyPending(session: Database, to: string | undefined): Promise<string[]> {
  const migrator = new Migrator({ db: session, provider: { getMigrations: async () => migrations } });
  const known = await migrator.getMigrations();
  const pending = known.filter(({ name, executedAt }) => !executedAt && (to === undefined || name <= to));
  const applied: string[] = [];
  for (const { name } of pending) {
    // An index that is built concurrently waits for every transaction of before; what takes a lock must not make others wait.
    await sql`select set_config('lock_timeout', ${concurrent.has(name) ? '0' : '2s'}, false)`.execute(session);
    const { error } = await migrator.migrateTo(name, { disableTransactions: concurrent.has(name) });
    if (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Migration ${name} failed: ${reason}`, { cause: error });
    }
    applied.push(name);
  }
  return applied;
}
