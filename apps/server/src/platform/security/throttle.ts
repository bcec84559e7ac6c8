import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Maximum number of attempts per key within a period, counted across all nodes. */
export interface Limit {
  name: string;
  attempts: number;
  seconds: number;
}

/** Rate limits. The counters are in PostgreSQL, shared by all nodes. */
export interface Throttle {
  /** Counts one attempt and returns whether it is within the limit, in one statement. */
  allows(limit: Limit, key: string): Promise<boolean>;
  /** Seconds until a key whose attempts are used up has new ones; 0 while it has some. Counts nothing. */
  secondsLeft(limit: Limit, key: string): Promise<number>;
  /** Resets the counter of a key. */
  clear(limit: Limit, key: string): Promise<void>;
  /** Deletes expired counters. */
  removeExpired(): Promise<void>;
}

// The database's clock, because a node's clock may be wrong and a lockout must not end early or last longer for that reason.
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Counts an attempt, starting over if the last period has expired. */
const COUNT = `insert into throttles as counted (key, points, expire) values ($1, 1, ${NOW} + $2::bigint)
  on conflict (key) do update set
    points = case when counted.expire <= ${NOW} then 1 else counted.points + 1 end,
    expire = case when counted.expire <= ${NOW} then excluded.expire else counted.expire end
  returning points`;

/** Time until the end of the period in which an exhausted counter runs. */
const LEFT = `select ceil((expire - ${NOW}) / 1000.0)::int as seconds from throttles
  where key = $1 and points >= $2 and expire > ${NOW}`;

/** A throttle that counts in the table `throttles`. */
export function createThrottle(pool: pg.Pool): Throttle {
  // Keys are user input: a hash has a fixed length and reveals nothing to someone reading the table.
  const toKey = (limit: Limit, key: string) => `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
  return {
    async allows(limit, key) {
      const { rows } = await pool.query<{ points: number }>(COUNT, [toKey(limit, key), limit.seconds * 1_000]);
      return (rows[0]?.points ?? 0) <= limit.attempts;
    },
    async secondsLeft(limit, key) {
      const { rows } = await pool.query<{ seconds: number }>(LEFT, [toKey(limit, key), limit.attempts]);
      return rows[0]?.seconds ?? 0;
    },
    async clear(limit, key) {
      await pool.query('delete from throttles where key = $1', [toKey(limit, key)]);
    },
    async removeExpired() {
      await pool.query(`delete from throttles where expire <= ${NOW}`);
    },
  };
}
