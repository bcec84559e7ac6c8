import type { RetentionClock } from '@steward/contract/retention/rules';
import { sql } from 'kysely';
import type { RetentionScope } from './expiry.ts';

/** The columns of messages and files that hold each clock, and which rows have one. */
export const CLOCKS = {
  own: { name: 'create_at', column: sql.ref('create_at'), hasClock: sql<boolean>`true` },
  // Written like the partial index of deleted items, so that it is used.
  marked: { name: 'delete_at', column: sql.ref('delete_at'), hasClock: sql<boolean>`delete_at > 0` },
} as const satisfies Record<RetentionClock, unknown>;

const findBackdated = ({ teamId, keptSince }: RetentionScope) => sql`select 1 from backdated_items b
  where b.team_id = ${teamId} and b.item_id = id and b.at > to_timestamp(${keptSince / 1_000}::double precision)`;

/** Whether an item `id` isn't kept because its date was moved back; for counts, which read every item. */
export const isNotKept = (scope: RetentionScope) => sql<boolean>`not exists (${findBackdated(scope)})`;

/** The same for a batch: the offset keeps it from being joined, so that only the items of the batch are looked up. */
export const isNotKeptInBatch = (scope: RetentionScope) => sql<boolean>`not exists (${findBackdated(scope)} offset 0)`;
