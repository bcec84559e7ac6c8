import { createHash } from 'node:crypto';
import type pg from 'pg';

/** So many tries in so many seconds, per key, counted for all nodes together. */
export interface Limit {
  name: string;
  tries: number;
  seconds: number;
}

/** Counters in PostgreSQL, shared by every node (trust G6, G18). */
export interface Throttle {
  /** Counts one try and tells whether it is still within the limit; counting and reading are one statement. */
  allows(limit: Limit, key: string): Promise<boolean>;
  /** Forgets what was counted for the key. */
  clear(limit: Limit, key: string): Promise<void>;
  /** Removes counters whose time is over. */
  removeExpired(): Promise<void>;
}

// The database's clock, as one process may be wrong by a day: a lock must neither end early nor last longer for it (trust F17).
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** One more try; it begins a new count where the time of the last one is over. */
const COUNT = `insert into throttles as counted (key, points, expire) values ($1, 1, ${NOW} + $2::bigint)
  on conflict (key) do update set
    points = case when counted.expire <= ${NOW} then 1 else counted.points + 1 end,
    expire = case when counted.expire <= ${NOW} then excluded.expire else counted.expire end
  returning points`;

/** Throttle over the table `throttles` that the migrations make. */
export function createThrottle(pool: pg.Pool): Throttle {
  // Keys are typed by strangers: their hash has one length and tells nothing to who reads the table.
  const toKey = (limit: Limit, key: string) => `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
  return {
    async allows(limit, key) {
      const { rows } = await pool.query<{ points: number }>(COUNT, [toKey(limit, key), limit.seconds * 1_000]);
      return (rows[0]?.points ?? 0) <= limit.tries;
    },
    async clear(limit, key) {
      await pool.query('delete from throttles where key = $1', [toKey(limit, key)]);
    },
    async removeExpired() {
      await pool.query(`delete from throttles where expire <= ${NOW}`);
    },
  };
}
