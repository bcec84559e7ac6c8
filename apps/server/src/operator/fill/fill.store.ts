import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** Whether there is such a team. */
export async function isTeam(db: Database | Trx, teamId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from teams where id = ${teamId}`.execute(db);
  return rows.length === 1;
}

/** Whether the team has a Zendesk person besides the given one. */
export async function hasOtherZendesk(trx: Trx, teamId: string, personId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from memberships
    where team_id = ${teamId} and roles && array['team_admin', 'team_owner', 'zendesk']
      and 'zendesk' = any(roles) and person_id <> ${personId} limit 1`.execute(trx);
  return rows.length === 1;
}

/** Whether nobody else is connected to this database, a server above all. */
export async function isAlone(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type not in ('autovacuum worker', 'parallel worker')`.execute(db);
  return rows.length === 0;
}

/** Room for many rows: the search index collects its new words in memory and takes them up at once. */
export async function tuneForBulkInsert(trx: Trx): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', '256MB', true), set_config('work_mem', '256MB', true),
    set_config('maintenance_work_mem', '512MB', true)`.execute(trx);
}

/** Tables that grow by the million when a team is filled, and what else is filled with them. */
const FILLED = {
  memberships: { search: 'memberships_by_key', others: ['people', 'presence'] },
  directory_entries: { search: 'directory_entries_by_key', others: [] },
  messages: { search: null, others: [] },
  files: { search: null, others: [] },
  records: { search: null, others: [] },
} as const;
export type FilledTable = keyof typeof FILLED;

/**
 * Takes away what every new row of the table would have to be entered in, and answers the statements that bring it back. It
 * locks the table until the transaction ends: only for who is alone. Undone with the transaction, it cannot get lost.
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

/** Brings back what was set aside. */
export async function recreateIndexes(trx: Trx, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(trx);
}

/** So that the planner knows the new sizes at once, and every index is as quick as it will be. */
export async function settle(db: Database, table: FilledTable): Promise<void> {
  const { search, others } = FILLED[table];
  if (search !== null) await sql`select gin_clean_pending_list(${search})`.execute(db);
  // Content is counted by an index alone, which needs to know the pages that everybody sees whole.
  const learn = search === null ? 'vacuum (analyze)' : 'analyze';
  await sql.raw(`${learn} ${[table, ...others].join(', ')}`).execute(db);
}
