import type { RetentionClock } from '@steward/contract/retention/rules';
import { sql } from 'kysely';

/** The columns of messages and files that hold each clock, and which rows have one. */
export const CLOCKS = {
  own: { name: 'create_at', column: sql.ref('create_at'), hasClock: sql<boolean>`true` },
  // Written like the partial index of deleted items, so that it is used.
  marked: { name: 'delete_at', column: sql.ref('delete_at'), hasClock: sql<boolean>`delete_at > 0` },
} as const satisfies Record<RetentionClock, unknown>;
