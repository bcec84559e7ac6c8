import type pg from 'pg';
import { toRefusal } from '#platform/http/errors.ts';
import type { Logger } from '#platform/observability/log.ts';
import { type Connected, type Connection, createDatabase, createPool, type Database } from '../database.ts';
import { trackWalPositions, type WalPosition, type WalPositions } from './wal-positions.ts';

/** Runs a read that may miss changes of the last five seconds. The read may run twice, so it must not change anything. */
export type StaleRead = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/** Reads on a replica. Without one, or while it can't be used, they use the primary. */
export interface Replica {
  read: StaleRead;
  /** Counts millions of rows, with a statement timeout of a minute. Use it through `countQueue`. */
  count: StaleRead;
  /** Reads since the start, by server; undefined without a replica. */
  countReads: (() => { state: 'replica' | 'primary'; count: number }[]) | undefined;
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  connection: Connection | undefined;
  pool: pg.Pool;
  db: Database;
  slowQueryPool: Database;
  log: Logger;
  /** Numbers of connections. */
  max: { reads: number; counts: number };
  /** Statement timeout of counts, in milliseconds. */
  slowQueryMs: number;
  /** For tests; by default, positions are polled every second. */
  positions?: WalPositions;
  /** For tests; milliseconds. */
  now?: () => number;
}

/** Age of the position that a replica must have replayed, in milliseconds: five seconds minus the delay of asynchronous commits. */
const MAX_LAG_MS = 4_400;
/** Longest wait for a connection, and for its check: the primary must still be able to answer within the five seconds of a call. */
const CONNECT_MS = 500;
const CHECK_MS = 500;
/** After a failure, reads don't use the replica for this time, in milliseconds. */
const PAUSE_MS = 2_000;

/** The timeline in the control file is that of the last restart point, so it may be the old one for minutes after a failover. */
const CHECK = `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn and $2 = greatest(
  (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())) as fits`;

/** SQLSTATE of a statement that reached its time limit. The primary would need as long, and the call has no time left. */
const TIMED_OUT = '57014';

class UnusableReplica extends Error {}

export function createReplica(options: ReplicaOptions): Replica {
  const { connection, db, slowQueryPool, now = () => performance.now() } = options;
  if (connection === undefined) {
    return {
      read: (work) => work(db),
      count: (work) => work(slowQueryPool),
      countReads: undefined,
      stop: async () => {},
    };
  }
  const positions = options.positions ?? trackWalPositions(options.pool);
  const shared = { name: 'steward replica', waitMs: CONNECT_MS };
  const pools = [
    createPool(connection, { ...shared, max: options.max.reads }),
    createPool(connection, { ...shared, max: options.max.counts, statementMs: options.slowQueryMs }),
  ] as const;
  const state = createState(options.log, now);
  const open = (pool: pg.Pool) => createDatabase(pool, { connect: (take) => takeRecent(take, positions) });
  return {
    read: fallBack(open(pools[0]), db, state),
    count: fallBack(open(pools[1]), slowQueryPool, state),
    countReads: state.countReads,
    async stop() {
      positions.stop();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** Hands out only connections to a server that has replayed the commits until five seconds ago. */
async function takeRecent(take: () => Promise<Connected>, positions: WalPositions): Promise<Connected> {
  const since = positions.findSince(MAX_LAG_MS);
  if (since === undefined) throw new UnusableReplica('the position of the primary is not known');
  const client = await take().catch((error: Error) => {
    throw new UnusableReplica('no connection', { cause: error });
  });
  const fits = await isRecent(client, since).catch((error: Error) => {
    client.release(error);
    throw new UnusableReplica('no answer', { cause: error });
  });
  if (fits) return client;
  client.release();
  throw new UnusableReplica('more than five seconds behind, or no replica of the primary');
}

async function isRecent(client: Connected, { lsn, timeline }: WalPosition): Promise<boolean> {
  const query = { text: CHECK, values: [lsn, timeline], query_timeout: CHECK_MS };
  const { rows } = await client.query<{ fits: boolean }>(query);
  return rows[0]?.fits === true;
}

type State = ReturnType<typeof createState>;

/** Changes between replica and primary are logged. */
function createState(log: Logger, now: () => number) {
  let isUsed = true;
  let triedAt = Number.NEGATIVE_INFINITY;
  const reads = { replica: 0, primary: 0 };
  return {
    mayTry: () => isUsed || now() - triedAt >= PAUSE_MS,
    used() {
      reads.replica += 1;
      if (!isUsed) log.info('reads use the replica again');
      isUsed = true;
    },
    failed(error: unknown) {
      triedAt = now();
      if (isUsed) log.warn({ err: error }, 'reads use the primary, since the replica can not be used');
      isUsed = false;
    },
    usedPrimary() {
      reads.primary += 1;
    },
    countReads: () => (['replica', 'primary'] as const).map((name) => ({ state: name, count: reads[name] })),
  };
}

function fallBack(replica: Database, primary: Database, state: State): StaleRead {
  return async (work) => {
    if (state.mayTry()) {
      try {
        const result = await work(replica);
        state.used();
        return result;
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        state.failed(error);
      }
    }
    state.usedPrimary();
    return work(primary);
  };
}

/** The replica is to blame if it is down, is restarting, or replayed a change that conflicts with the read. */
function isOfReplica(error: unknown): boolean {
  if (error instanceof UnusableReplica) return true;
  const { code, message } = error as { code?: string; message?: string };
  if (code === TIMED_OUT || message === 'Query read timeout') return false;
  return ['server.unavailable', 'record.conflict'].includes(toRefusal(error).id) && toRefusal(error) !== error;
}
