import { fromStoredDetails } from '@steward/contract/audit/details';
import { sql } from 'kysely';
import { runPrepared } from '#platform/database/prepared.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** Tables that a refused request may still write to: counters, presence, and the audit row of the refusal. */
export const TRACES = ['throttles', 'presence', 'audit_events'] as const;

/** Tables that a job fills from the audit log in the background. */
const CHAIN = ['audit_pending', 'audit_chain', 'audit_heads', 'audit_server_head', 'audit_keys', 'audit_sink'];

/** Columns that change in the background: last uses and checks, and the progress of queued emails. */
const LAST_USES = ['active_at', 'longest_idle_seconds', 'last_used_at', 'checked_at'];
const MAIL_ON_ITS_WAY = ['state', 'attempts', 'error', 'ended_at'];

/** A job adds up the rows of this table each minute. */
const MEMBER_COUNTS =
  '(select team_id, member_group, sum(count) as count from member_counts group by 1, 2 having sum(count) <> 0)';

/** The tables, or those with one of these columns. */
export async function listTables(node: Pick<TestApp, 'db'>, ...columns: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and (${columns.length === 0} or exists (select 1 from pg_attribute where attrelid = c.oid and attname = any(${columns})))
    order by 1`.execute(node.db);
  return rows.map(({ name }) => name);
}

interface Choice {
  except?: readonly string[];
  withChain?: boolean;
}

/** The content of all tables, without columns that change in the background, to compare before and after. */
export async function snapshotTables(node: TestApp, choice: Choice = {}): Promise<Record<string, unknown[]>> {
  return readTables(
    node,
    choice,
    (row) => `coalesce(jsonb_agg(to_jsonb(${row}) order by to_jsonb(${row})::text), '[]')`,
  );
}

/** The number of rows of all tables and a sum over their texts: half the work, for comparisons around each of many calls. */
export async function sumTables(node: TestApp, choice: Choice = {}): Promise<Record<string, string>> {
  return readTables(node, choice, (row) => `count(*) || ' ' || coalesce(sum(hashtextextended(${row}::text, 0)), 0)`);
}

/** All tables, and those with a last use. Only migrations create tables, so the catalog is read once for each database. */
const known = new WeakMap<TestApp['db'], [all: string[], withLastUse: string[]]>();

async function readTables<Value>(
  node: TestApp,
  { except = [], withChain = false }: Choice,
  value: (row: string) => string,
): Promise<Record<string, Value>> {
  const lists = known.get(node.db) ?? [await listTables(node), await listTables(node, ...LAST_USES)];
  known.set(node.db, lists);
  const [tables, withLastUse] = lists;
  const parts = tables
    .filter((name) => !except.includes(name) && (withChain || !CHAIN.includes(name)))
    .map((name) => {
      const moving = name === 'mails' ? MAIL_ON_ITS_WAY : withLastUse.includes(name) ? LAST_USES : [];
      const row = moving.length > 0 ? `(to_jsonb(t) - '{${moving}}'::text[])` : 't';
      const table = name === 'member_counts' ? MEMBER_COUNTS : name;
      return `select '${name}' as name, ${value(row)} as value from ${table} t`;
    });
  // PostgreSQL takes longer to parse and plan a statement about all tables than to run it.
  const statement = sql<{ name: string; value: Value }>`${sql.raw(parts.join(' union all '))}`;
  const rows = await runPrepared(node.db, statement);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Audit rows of an action, oldest first, without the version of their details. */
export async function auditRows(node: TestApp, action: string) {
  const all = node.db.selectFrom('audit_events').select(['team_id', 'actor_id', 'target', 'details']);
  const rows = await all.where('action', '=', action).orderBy('id').execute();
  return rows.map((row) => ({ ...row, details: fromStoredDetails(row.details).details }));
}
