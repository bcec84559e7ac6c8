import { sql } from 'kysely';
import type { TestApp } from './start-app.ts';

/** Tables that a mere try may write to: counters, presence, and the line that says it was refused. */
export const TRACES = ['throttles', 'presence', 'audit_events'] as const;

/** Everything our tables hold, to be compared before and after; `active_at` and `last_used_at` move by themselves. */
export async function contentsOf(
  node: TestApp,
  options: { except?: readonly string[] } = {},
): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(node.db);
  const contents: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (options.except?.includes(name)) continue;
    const { rows } = await sql<{ row: object }>`select to_jsonb(t) - 'active_at' - 'last_used_at' as row
      from ${sql.table(name)} t order by to_jsonb(t)::text`.execute(node.db);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

/** Audit rows of an action, oldest first. */
export async function auditRows(
  node: TestApp,
  action: string,
): Promise<{ team_id: string; actor_id: string | null; target: string | null; details: Record<string, unknown> }[]> {
  return node.db
    .selectFrom('audit_events')
    .select(['team_id', 'actor_id', 'target', 'details'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
}
