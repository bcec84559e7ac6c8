import type { ColumnType } from 'kysely';

/** A timestamp: read as a Date, written as a Date or as text that PostgreSQL understands. Never sent to clients. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A date, such as 2027-03-31. The driver would read it as a Date at the server's midnight, so it is read as `::text`. */
export type Day = ColumnType<never, string, string>;

/** A column that PostgreSQL computes. */
export type Computed<T> = ColumnType<T, never, never>;

/** A column with a default, which an insert may omit. */
export type Defaulted<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>;
