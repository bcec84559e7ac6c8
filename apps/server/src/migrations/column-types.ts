import type { ColumnType } from 'kysely';

/** A timestamp: read as a Date, written as a Date or as text that PostgreSQL understands. Never sent to clients. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A column that PostgreSQL computes. */
export type Computed<T> = ColumnType<T, never, never>;

/** A column with a default, which an insert may omit. */
export type Defaulted<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>;
