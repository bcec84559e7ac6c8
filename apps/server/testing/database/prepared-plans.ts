import { sql } from 'kysely';
import { createDatabase, createPool, type Trx } from '#platform/database/database.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** A transaction on a connection of its own, without the pooler of TEST_POOLER: through one, no statement is prepared. */
export async function inDirectTransaction(node: TestApp, work: (trx: Trx) => Promise<void>): Promise<void> {
  const pool = createPool(node.database.connection, { max: 1, name: 'steward test' });
  try {
    await createDatabase(pool, node.deps.secrets).transaction().execute(work);
  } finally {
    await pool.end();
  }
}

/** Plans, for values that PostgreSQL doesn't know, of the statements that the connection has prepared and read this table. */
export async function explainPrepared(trx: Trx, table: string): Promise<string[]> {
  await sql`set local plan_cache_mode = force_generic_plan`.execute(trx);
  const { rows } = await sql<{ name: string; types: string[] }>`select name, parameter_types::text[] as types
    from pg_prepared_statements where position(${table} in statement) > 0 order by prepare_time`.execute(trx);
  const plans: string[] = [];
  for (const { name, types } of rows) {
    const values = sql.join(types.map((type) => sql`null::${sql.raw(type)}`));
    const plan = await sql<{ 'QUERY PLAN': string }>`explain execute ${sql.id(name)}(${values})`.execute(trx);
    plans.push(plan.rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

/** How often PostgreSQL planned those statements for their values, and how often it didn't. */
export async function countPlans(trx: Trx, table: string): Promise<{ planned: number; reused: number }> {
  const { rows } = await sql<{ planned: number; reused: number }>`
    select sum(custom_plans)::int as planned, sum(generic_plans)::int as reused
    from pg_prepared_statements where position(${table} in statement) > 0`.execute(trx);
  return rows[0] ?? { planned: 0, reused: 0 };
}
