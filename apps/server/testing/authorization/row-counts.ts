import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';
import { listTables } from '#testing/workspace/snapshot-tables.ts';

export type RowCounts = Record<string, number>;

/** Counters and presence are written outside of the transactions of changes. */
const SEPARATE = ['throttles', 'presence'];

/** Rows, including queued jobs, that each transaction wrote and that haven't changed since, by transaction id. */
export async function listFootprints(node: TestApp): Promise<Map<string, RowCounts>> {
  const tables = (await listTables(node)).filter((name) => !SEPARATE.includes(name));
  const counts = tables.map(
    (name) =>
      sql`select xmin::text as x, ${sql.lit(name)} as name, count(*)::int as n from ${sql.table(name)} group by 1`,
  );
  // Scheduled jobs have no payload.
  counts.push(
    sql`select xmin::text, 'jobs', count(*)::int from pgboss.job where data is not null and data <> '{}' and name not like '\\_\\_pgboss%' group by 1`,
  );
  const { rows } = await sql<{ x: string; footprint: RowCounts }>`select x, jsonb_object_agg(name, n) as footprint
    from (${sql.join(counts, sql` union all `)}) t group by x`.execute(node.db);
  return new Map(rows.map(({ x, footprint }) => [x, footprint]));
}

/** Includes the sessions of the team's members. */
export async function getRows(node: TestApp, teamId: string): Promise<RowCounts> {
  const tables = (await listTables(node, 'team_id')).filter((name) => !SEPARATE.includes(name));
  const counts = tables.map(
    (name) =>
      sql`select ${sql.lit(name)} as name, count(*)::int as n from ${sql.table(name)} where team_id = ${teamId}`,
  );
  counts.push(sql`select 'sessions', count(*)::int from sessions where person_id in (
    select person_id from memberships where team_id = ${teamId})`);
  const { rows } = await sql<{ name: string; n: number }>`${sql.join(counts, sql` union all `)}`.execute(node.db);
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

export function difference(before: RowCounts, after: RowCounts): RowCounts {
  const changes = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

/** Ids of the transactions that wrote audit rows, by client address. */
export async function listAuditTransactions(node: TestApp): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ address: string; xs: string[] }>`select address, array_agg(xmin::text) as xs
    from audit_events where address <> '' group by address`.execute(node.db);
  return new Map(rows.map(({ address, xs }) => [address, xs]));
}
