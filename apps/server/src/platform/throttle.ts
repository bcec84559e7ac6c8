import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

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

/** Throttle over the table `throttles` that the migrations make. */
export function createThrottle(pool: pg.Pool): Throttle {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterFor = (limit: Limit) => {
    let limiter = limiters.get(limit.name);
    if (!limiter) {
      limiter = new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'throttles',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: limit.name,
        points: limit.tries,
        duration: limit.seconds,
      });
      limiters.set(limit.name, limiter);
    }
    return limiter;
  };
  // Keys are typed by strangers: their hash has one length and tells nothing to who reads the table.
  const short = (key: string) => createHash('sha256').update(key).digest('base64url');
  return {
    async allows(limit, key) {
      try {
        await limiterFor(limit).consume(short(key));
        return true;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return false;
        throw refused;
      }
    },
    async clear(limit, key) {
      await limiterFor(limit).delete(short(key));
    },
    async removeExpired() {
      await pool.query('delete from throttles where expire < $1', [Date.now()]);
    },
  };
}
