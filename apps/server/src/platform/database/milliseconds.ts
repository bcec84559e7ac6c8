import { type RawBuilder, sql } from 'kysely';

/** Since 1970, as in the API; null stays null. */
export function toMilliseconds(instant: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(extract(epoch from ${instant}) * 1000)::bigint`;
}

/** Null becomes 0. */
export function millisecondsIn(column: string): RawBuilder<number> {
  return sql`coalesce(${toMilliseconds(sql.ref(column))}, 0)`;
}

/** The database's clock, in milliseconds; it advances within a transaction. */
export const databaseNow = toMilliseconds(sql`clock_timestamp()`);
