import type pg from 'pg';

/** The number of rows in every table, and a sum over their texts that doesn't depend on their order. */
export async function sumTables(client: pg.ClientBase): Promise<Record<string, { rows: number; sum: string }>> {
  await client.query(`set timezone = 'UTC'`);
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' order by 1`);
  const sums: Record<string, { rows: number; sum: string }> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: number; sum: string }>(`
      select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${name} t`);
    sums[name] = rows[0] ?? { rows: 0, sum: '' };
  }
  return sums;
}
