import type { Database, Trx } from '@steward/server/src/platform/database/database.ts';
import { isActive } from '@steward/server/src/workspace/users/active-members.store.ts';
import { sql } from 'kysely';

export async function isTeam(db: Database | Trx, teamId: string): Promise<boolean> {
  return (await db.selectFrom('teams').select('id').where('id', '=', teamId).executeTakeFirst()) !== undefined;
}

export async function hasOtherZendesk(trx: Trx, teamId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from memberships
    where team_id = ${teamId} and roles && array['team_admin', 'team_owner', 'zendesk']
      and 'zendesk' = any(roles) and person_id <> ${userId} limit 1`.execute(trx);
  return rows.length === 1;
}

/** Returns false if another client, such as a server, is connected to this database. */
export async function isAlone(db: Database | Trx): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type not in ('autovacuum worker', 'parallel worker')`.execute(db);
  return rows.length === 0;
}

/** Prepares for many inserts: the search index collects new keys in memory and merges them together. */
export async function tuneForBulkInsert(trx: Trx): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', '256MB', true), set_config('work_mem', '256MB', true),
    set_config('maintenance_work_mem', '512MB', true)`.execute(trx);
}

/** Tables that can grow by millions of rows, with their search index and the tables filled together with them. */
const FILLED = {
  memberships: { search: 'memberships_by_text', others: ['people', 'presence'] },
  directory_entries: { search: 'directory_entries_by_text', others: [] },
  messages: { search: null, others: [] },
  files: { search: null, others: [] },
  records: { search: null, others: [] },
} as const;
export type FilledTable = keyof typeof FILLED;

/**
 * Drops the indexes and foreign keys of a table and returns the statements that create them again. Locks the table until the
 * transaction ends, so use it only when nothing else is connected. A rollback restores everything.
 */
export async function dropIndexes(trx: Trx, table: FilledTable): Promise<string[]> {
  const { rows } = await sql<{ away: string; back: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
    from pg_constraint where conrelid = ${table}::regclass and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where indrelid = ${table}::regclass and not indisunique`.execute(trx);
  for (const { away } of rows) await sql.raw(away).execute(trx);
  return rows.map(({ back }) => back);
}

export async function recreateIndexes(trx: Trx, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(trx);
}

/** Updates the statistics of the planner and merges pending index entries. */
export async function settle(db: Database, table: FilledTable): Promise<void> {
  const { search, others } = FILLED[table];
  if (search !== null) await sql`select gin_clean_pending_list(${search})`.execute(db);
  // Content is counted by index-only scans, which need the visibility map.
  const learn = search === null ? 'vacuum (analyze)' : 'analyze';
  await sql.raw(`${learn} ${[table, ...others].join(', ')}`).execute(db);
}

/** Maximum number of authors of a team's generated content. */
const AUTHORS_MAX = 500;

/** Lists members who can sign in. */
export async function listUsers(db: Database | Trx, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select('p.id')
    .where('m.team_id', '=', teamId)
    .where(isActive())
    .where(sql<boolean>`not 'zendesk' = any(m.roles)`)
    .orderBy('p.id')
    .limit(AUTHORS_MAX)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns those of the ids for which the team has a file. */
export async function listFileIds(db: Database, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return rows.map(({ id }) => id);
}
