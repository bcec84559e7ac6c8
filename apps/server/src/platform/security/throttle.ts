import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { databaseNow } from '#platform/database/milliseconds.ts';
import { runPrepared } from '#platform/database/prepared.ts';

/** Maximum number of attempts per key within a period, counted across all nodes. */
export interface Limit {
  name: string;
  attempts: number;
  seconds: number;
}

/**
 * Rate limits. The counters are in PostgreSQL, shared by all nodes, and use its clock: a node's clock may be wrong, and a lockout must
 * not end early or last longer for that reason.
 */
export interface Throttle {
  /** Counts one attempt and returns true if it is within the limit, in one statement. */
  allows(limit: Limit, key: string): Promise<boolean>;
  /** Seconds until an exhausted key has new attempts; 0 if it isn't exhausted. Counts nothing. */
  secondsLeft(limit: Limit, key: string): Promise<number>;
  clear(limit: Limit, key: string): Promise<void>;
  /** Waits until earlier counts are on disk that were committed asynchronously. */
  persist(limit: Limit, key: string): Promise<void>;
  removeExpired(): Promise<void>;
}

/** Keys are user input: their hash has a fixed length and reveals nothing to readers of the table. */
export function toCounter(limit: Pick<Limit, 'name'>, key: string): string {
  return `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
}

/**
 * Part of a statement: counts an attempt at the counter that `counter` selects, if there is one, and starts a new period if the
 * last one has expired. Returns `points`, the attempts of this period.
 */
export function countAttempt(counter: RawBuilder<unknown>, { seconds }: Limit): RawBuilder<{ points: number }> {
  return sql`insert into throttles as counted (key, points, expire)
    select chosen.counter, 1, ${databaseNow} + ${seconds * 1_000}::bigint from (${counter}) as chosen (counter)
    on conflict (key) do update set
      points = case when counted.expire <= ${databaseNow} then 1 else counted.points + 1 end,
      expire = case when counted.expire <= ${databaseNow} then excluded.expire else counted.expire end
    returning points`;
}

/** Part of a statement: the seconds until the end of the period in which a counter is exhausted; no row while it isn't. */
export function findSecondsLeft(counter: string, { attempts }: Limit): RawBuilder<{ seconds: number }> {
  return sql`select ceil((expire - ${databaseNow}) / 1000.0)::int as seconds from throttles
    where key = ${counter} and points >= ${attempts} and expire > ${databaseNow}`;
}

/** Part of a statement: resets counters, under a condition. */
export function clearCounters(counters: readonly string[], when: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`delete from throttles where key = any(${counters}::text[]) and ${when}`;
}

export function createThrottle(db: Database): Throttle {
  return {
    async allows(limit, key) {
      const counter = sql`select ${toCounter(limit, key)}::text`;
      const [counted] = await runPrepared(db, countAttempt(counter, limit));
      return (counted?.points ?? 0) <= limit.attempts;
    },
    async secondsLeft(limit, key) {
      const [left] = await runPrepared(db, findSecondsLeft(toCounter(limit, key), limit));
      return left?.seconds ?? 0;
    },
    async clear(limit, key) {
      await clearCounters([toCounter(limit, key)], sql`true`).execute(db);
    },
    async persist(limit, key) {
      // The update writes the row, because a commit without a change doesn't wait for the disk.
      await sql`update throttles set points = points where key = ${toCounter(limit, key)}`.execute(db);
    },
    async removeExpired() {
      await sql`delete from throttles where expire <= ${databaseNow}`.execute(db);
    },
  };
}
