import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';

/** Searches every table, including the queue, ignoring case. Returns `table: row` for each match. */
export async function searchTables(node: Pick<TestApp, 'db'>, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss') order by 1, 2`.execute(node.db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t
      where strpos(lower(t::text), ${text.toLowerCase()}) > 0`.execute(node.db);
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}
