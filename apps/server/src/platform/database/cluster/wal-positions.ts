import type pg from 'pg';

/** End of the primary's written log at a time. */
export interface WalPosition {
  /** Time of the query. Earlier commits are below `lsn`, except asynchronous commits of the last 0.6 seconds. */
  at: number;
  lsn: string;
  /** Each failover increases it. A server on another timeline may have rows that no longer exist. */
  timeline: number;
}

export interface WalPositions {
  poll(): Promise<void>;
  /** The oldest position that isn't older. */
  findSince(milliseconds: number): WalPosition | undefined;
  stop(): void;
}

const POLL_MS = 1_000;
const KEPT_MS = 10_000;

/** The insert position would be closer to the current time, but in an idle database it can be ahead of the written one for seconds. */
const POSITION = `select pg_current_wal_lsn()::text as lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

/** Polls every second. While the primary doesn't answer, positions become too old, and no replica is used. */
export function trackWalPositions(primary: pg.Pool, now: () => number = () => performance.now()): WalPositions {
  let positions: WalPosition[] = [];
  let isPolling = false;
  const poll = async () => {
    if (isPolling) return;
    isPolling = true;
    const at = now();
    try {
      const { rows } = await primary.query<Omit<WalPosition, 'at'>>(POSITION);
      positions = [
        ...positions.filter((position) => position.at > at - KEPT_MS),
        ...rows.map((row) => ({ at, ...row })),
      ];
    } catch {
      // The next poll may succeed.
    } finally {
      isPolling = false;
    }
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return {
    poll,
    findSince: (milliseconds) => positions.find(({ at }) => at >= now() - milliseconds),
    stop: () => clearInterval(timer),
  };
}
