import type { RetentionClock } from '@steward/contract/retention/rules';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Cursor, ExpiredCount, MarkedBatch, MarkedItem, RetentionScope } from './expiry.ts';

/** The columns of messages and files that hold each clock, and which rows have one. */
export const CLOCKS = {
  own: { name: 'create_at', column: sql.ref('create_at'), hasClock: sql<boolean>`true` },
  // Written like the partial index of deleted items, so that it is used.
  marked: { name: 'delete_at', column: sql.ref('delete_at'), hasClock: sql<boolean>`delete_at > 0` },
} as const satisfies Record<RetentionClock, unknown>;

/** Whose items were moved back, and when at the earliest. */
type Backdating = Pick<RetentionScope, 'teamId' | 'keptSince'>;

const findBackdated = ({ teamId, keptSince }: Backdating) => sql`select 1 from backdated_items b
  where b.team_id = ${teamId} and b.item_id = id and b.at > to_timestamp(${keptSince / 1_000}::double precision)`;

/** Whether an item `id` isn't kept because its date was moved back; for counts, which read every item. */
export const isNotKept = (scope: Backdating) => sql<boolean>`not exists (${findBackdated(scope)})`;

/** The same for a batch: the offset keeps it from being joined, so that only the items of the batch are looked up. */
export const isNotKeptInBatch = (scope: Backdating) => sql<boolean>`not exists (${findBackdated(scope)} offset 0)`;

export const NOTHING_HELD = { count: 0, bytes: 0 };

/** Counts expired items where holds keep some; `from` is the part of the statement from there on. */
export async function countBesideHeld(
  db: Database | Trx,
  { from, column, isHeld }: { from: RawBuilder<unknown>; column: RawBuilder<unknown>; isHeld: RawBuilder<boolean> },
): Promise<ExpiredCount> {
  const { rows } = await sql<Omit<ExpiredCount, 'held'> & { held: number; held_bytes: number }>`
    select count(*) filter (where not held)::bigint as count, coalesce(sum(size) filter (where not held), 0)::bigint as bytes,
      count(*) filter (where held)::bigint as held, coalesce(sum(size) filter (where held), 0)::bigint as held_bytes,
      min(clock) filter (where not held) as oldest, max(clock) filter (where not held) as newest
    from (select ${column} as clock, size, ${isHeld} as held ${from}) expired`.execute(db);
  const { held = 0, held_bytes = 0, ...rest } = rows[0] ?? {};
  return { count: 0, bytes: 0, oldest: null, newest: null, ...rest, held: { count: held, bytes: held_bytes } };
}

/** A row that a batch went through: marked, or held. */
export interface BatchRow extends MarkedItem {
  held: boolean;
}

/** The rows of a batch, in order, as what it did. */
export function toMarkedBatch(rows: readonly BatchRow[], limit: number): MarkedBatch {
  const items = rows.filter(({ held }) => !held);
  const last: Cursor | null = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { items, held: rows.length - items.length, last };
}
