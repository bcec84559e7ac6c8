import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';

/** Every row of every table as text, including the job queue. */
export async function dumpDatabase(node: TestApp): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`.execute(
    node.db,
  );
  const parts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      node.db,
    );
    parts.push(`${schema}.${name}`, ...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}
