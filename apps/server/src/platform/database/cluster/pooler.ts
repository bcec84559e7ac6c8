import type pg from 'pg';
import { SESSION_LIMITS } from '../database.ts';

/** `connect_query` of the database in PgBouncer's configuration, which gives its connections our limits. */
export const CONNECT_QUERY = Object.entries(SESSION_LIMITS)
  .map(([name, milliseconds]) => `set ${name} = ${milliseconds}`)
  .join('; ');

/**
 * Fails if the connections behind a pooler lack our limits: a lock or an abandoned transaction could then occupy a connection
 * for hours, and a statement would continue after its call got a response.
 */
export async function checkPooler(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; ms: number }>(
    'select name, setting::int as ms from pg_settings where name = any($1)',
    [Object.keys(SESSION_LIMITS)],
  );
  const lacking = rows.filter(({ name, ms }) => ms === 0 || ms > (SESSION_LIMITS[name] ?? 0)).map(({ name }) => name);
  if (lacking.length === 0) return;
  throw new Error(
    `The pooler in DATABASE_URL doesn't limit ${lacking.sort().join(', ')}. ` +
      `In PgBouncer, add to the line of the database: connect_query='${CONNECT_QUERY}'`,
  );
}
