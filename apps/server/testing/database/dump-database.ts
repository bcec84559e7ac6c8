import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';

/** Every row of every table as text, including the job queue: `table: row`. */
async function listRows({ db }: Pick<TestApp, 'db'>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db);
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

export const dumpDatabase = async (node: TestApp): Promise<string> => (await listRows(node)).join('\n');

export async function searchTables(node: Pick<TestApp, 'db'>, text: string): Promise<string[]> {
  return (await listRows(node)).filter((row) => row.toLowerCase().includes(text.toLowerCase()));
}
