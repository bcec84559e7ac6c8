import { type RawBuilder, sql } from 'kysely';

/** An instant of the database in milliseconds since 1970, as the wire has it; null stays null. */
export function toMilliseconds(instant: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(extract(epoch from ${instant}) * 1000)::bigint`;
}

/** The same for a column; 0 where it is empty. */
export function millisecondsIn(column: string): RawBuilder<number> {
  return sql`coalesce(${toMilliseconds(sql.ref(column))}, 0)`;
}

/** The database's clock, in milliseconds; it goes on within a transaction. */
export const databaseNow = toMilliseconds(sql`clock_timestamp()`);
