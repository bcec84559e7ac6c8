import type { ColumnType } from 'kysely';

/** Instants the database fills or reads itself; never on the wire. */
export type Instant = ColumnType<Date, Date | string | undefined, Date | string>;

/** A column that PostgreSQL computes. */
export type Computed<T> = ColumnType<T, never, never>;
