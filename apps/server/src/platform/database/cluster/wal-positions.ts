import type pg from 'pg';

/** How far the primary had written its log at a time. */
export interface WalPosition {
  /** When the question was sent. What was committed before is below `lsn`, except asynchronous commits of the last 0.6 seconds. */
  at: number;
  lsn: string;
  /** Increased by each failover. A server on another timeline may have rows that no longer exist. */
  timeline: number;
}

/** The positions of the last seconds. */
export interface WalPositions {
  /** Asks the primary for its position now. */
  poll(): Promise<void>;
  /** The oldest position that is at most so many milliseconds old. */
  findSince(milliseconds: number): WalPosition | undefined;
  stop(): void;
}

/** Interval of the questions, in milliseconds. */
const POLL_MS = 1_000;
/** How long positions are kept, in milliseconds. */
const KEPT_MS = 10_000;

/** What is only inserted but not written yet would be nearer to now; in an idle database it can stay so for many seconds. */
const POSITION = `select pg_current_wal_lsn()::text as lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

/** Asks every second. While the primary doesn't answer, positions become too old, and no replica is used. */
export function trackWalPositions(primary: pg.Pool, now: () => number = () => performance.now()): WalPositions {
  let positions: WalPosition[] = [];
  let isAsking = false;
  const poll = async () => {
    if (isAsking) return;
    isAsking = true;
    const at = now();
    try {
      const { rows } = await primary.query<Omit<WalPosition, 'at'>>(POSITION);
      positions = [
        ...positions.filter((position) => position.at > at - KEPT_MS),
        ...rows.map((row) => ({ at, ...row })),
      ];
    } catch {
      // The next question may be answered.
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return {
    poll,
    findSince: (milliseconds) => positions.find(({ at }) => at >= now() - milliseconds),
    stop: () => clearInterval(timer),
  };
}
