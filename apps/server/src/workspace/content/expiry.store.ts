import { sql } from 'kysely';
import type { RetentionClock } from './expiry.ts';

/** Where messages and files have each clock, and which rows have it at all. */
export const CLOCKS = {
  own: { column: sql.ref('create_at'), among: sql`true` },
  // So that the index of what is marked, which holds nothing else, can be used.
  marked: { column: sql.ref('delete_at'), among: sql`delete_at > 0` },
} as const satisfies Record<RetentionClock, unknown>;
