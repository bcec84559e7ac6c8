import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { concurrent, migrations } from '#migrations/index.ts';
import type { Database } from './database.ts';

/** Key of the advisory lock that lets one process migrate at a time; an arbitrary unused number. */
const LOCK = 7_314_205;
const RETRY_MS = 100;

/**
 * Returns the names of the applied migrations. Every node can call it at once: one migrates, the others wait. Throws for a
 * database that a newer version has migrated. `to` is the last migration to apply, by default the newest one.
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

/** SQLSTATE of a statement for which the role lacks the rights. */
const NOT_ALLOWED = '42501';

const notAllowed = (name: string) =>
  `Migration ${name} is pending, and the database role may not change the schema. Run it as the owner of the tables: ` +
  'npm run workspace -- migrate --grant with the name of this role.';

export function hasMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/**
 * Polls for the lock, because a statement that waits for it would hold a snapshot, and building an index concurrently waits for
 * snapshots: that would be a deadlock.
 */
async function lock(session: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(session);
    if (rows[0]?.locked) return;
    await delay(RETRY_MS);
  }
}

/** This version doesn't know what a newer one has stored, and could damage it. */
async function refuseNewer(session: Database): Promise<void> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(session);
  if (!tables[0]?.exists) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(session);
  const unknown = rows.map(({ name }) => name).filter((name) => !hasMigration(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database belongs to a newer version (migration ${unknown.at(-1)}). Start that version, or restore a backup from before the upgrade.`,
  );
}

async function applyPending(session: Database, to: string | undefined): Promise<string[]> {
  await refuseNewer(session);
  const migrator = new Migrator({ db: session, provider: { getMigrations: async () => migrations } });
  const known = await migrator.getMigrations();
  const pending = known.filter(({ name, executedAt }) => !executedAt && (to === undefined || name <= to));
  const names = pending.map(({ name }) => name);
  const isEmpty = known.every(({ executedAt }) => !executedAt);
  const applied: string[] = [];
  for (const last of isEmpty ? findLastOfGroups(names) : names) {
    // Building an index concurrently waits for older transactions; other migrations must not block queries for long.
    await sql`select set_config('lock_timeout', ${concurrent.has(last) ? '0' : '2s'}, false)`.execute(session);
    const { error, results = [] } = await migrator.migrateTo(last, { disableTransactions: concurrent.has(last) });
    if (error) {
      const name = results.find(({ status }) => status === 'Error')?.migrationName ?? last;
      if ((error as { code?: string }).code === NOT_ALLOWED) throw new Error(notAllowed(name), { cause: error });
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Migration ${name} failed: ${reason}`, { cause: error });
    }
    applied.push(...results.map(({ migrationName }) => migrationName));
  }
  return applied;
}

/**
 * The tables of an empty database have no other users yet, so migrations that need no transaction of their own share one. Each call of
 * the migrator reads the whole catalog a few times, which takes most of the time of the first start.
 */
function findLastOfGroups(names: string[]): string[] {
  return names.filter((name, at) => {
    const next = names[at + 1];
    return next === undefined || concurrent.has(name) || concurrent.has(next);
  });
}
