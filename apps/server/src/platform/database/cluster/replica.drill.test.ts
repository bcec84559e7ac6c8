import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { toRefusal } from '#platform/http/errors.ts';
import { createLog } from '#platform/observability/log.ts';
import { type Cluster, WITHOUT_PROGRAMS } from '#testing/database/system-postgres.ts';
import {
  ask,
  type ReplicatedPostgres,
  startReplicatedPostgres,
  untilReplayed,
} from '#testing/system/replicated-postgres.ts';
import { describeUnless } from '#testing/system/unless.ts';
import { createDatabase, createPool, type Database } from '../database.ts';
import { createReplica, type Replica } from './replica.ts';
import { trackWalPositions, type WalPositions } from './wal-positions.ts';

/** The server that answers. */
const whichServer = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db);
  return rows[0]?.is ? 'replica' : 'primary';
};

/** Everything on one primary and one replica, at a time that the test sets. */
interface Reads extends AsyncDisposable {
  replica: Replica;
  db: Database;
  log: string[];
  /** Sets the clock, and asks the primary for its position. */
  pollAt(seconds: number): Promise<void>;
  setClock(seconds: number): void;
}

function openReads(primaryUrl: string, replicaUrl: string): Reads {
  let clock = 0;
  const now = () => clock;
  const log: string[] = [];
  const pool: pg.Pool = createPool({ connectionString: primaryUrl }, { max: 2, name: 'test' });
  const positions: WalPositions = trackWalPositions(pool, now);
  // Only the test asks.
  positions.stop();
  const db = createDatabase(pool);
  const replica = createReplica({
    connection: { connectionString: replicaUrl },
    pool,
    db,
    slowQueryPool: db,
    log: createLog('info', { write: (line) => void log.push(line) }),
    max: { reads: 2, counts: 1 },
    slowQueryMs: 60_000,
    positions,
    now,
  });
  const setClock = (seconds: number) => {
    clock = seconds * 1_000;
  };
  return {
    replica,
    db,
    log,
    setClock,
    async pollAt(seconds) {
      setClock(seconds);
      await positions.poll();
    },
    async [Symbol.asyncDispose]() {
      await replica.stop();
      await db.destroy();
    },
  };
}

describeUnless(WITHOUT_PROGRAMS, 'reads that may be behind', () => {
  let servers: ReplicatedPostgres;
  let primary: Cluster;
  let standby: Cluster;
  let reads: Reads;

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    primary = servers.primary;
    standby = await servers.addReplica('standby');
  });

  beforeEach(async () => {
    // The replica may be paused after a failed test.
    await ask(standby, 'select pg_wal_replay_resume()');
    await untilReplayed(primary, standby);
    reads = openReads(primary.url, standby.url);
    await reads.pollAt(0);
  });

  afterAll(() => servers?.[Symbol.asyncDispose]());

  const write = () =>
    ask(primary, "insert into teams (id, display_name, create_at) values (gen_random_uuid()::text, 'x', 0)", 'steward');

  test('are answered by the replica, and counted', async () => {
    await using _ = reads;
    assert.equal(await reads.replica.read(whichServer), 'replica');
    assert.equal(await reads.replica.count(whichServer), 'replica');
    assert.deepEqual(reads.replica.countReads?.(), [
      { state: 'replica', count: 2 },
      { state: 'primary', count: 0 },
    ]);
  });

  test('are answered by the primary once the replica is more than five seconds behind, and by the replica when it is not', async () => {
    await using _ = reads;
    await ask(standby, 'select pg_wal_replay_pause()');
    await write();
    await reads.pollAt(1);
    reads.setClock(4.3);
    assert.equal(await reads.replica.read(whichServer), 'replica', 'it has what was there five seconds ago');
    reads.setClock(4.5);
    assert.equal(await reads.replica.read(whichServer), 'primary');
    await ask(standby, 'select pg_wal_replay_resume()');
    await untilReplayed(primary, standby);
    assert.equal(await reads.replica.read(whichServer), 'primary', 'it is not tried again at once');
    await reads.pollAt(8);
    assert.equal(await reads.replica.read(whichServer), 'replica');
    assert.deepEqual(
      reads.log.map((line) => JSON.parse(line).msg),
      ['reads use the primary, since the replica can not be used', 'reads use the replica again'],
    );
  });

  test('are answered by the primary while its position of the last five seconds is not known', async () => {
    await using _ = reads;
    reads.setClock(5.1);
    assert.equal(await reads.replica.read(whichServer), 'primary');
  });

  test('are answered by the primary while the replica is away', async () => {
    await using _ = reads;
    assert.equal(await reads.replica.read(whichServer), 'replica');
    await standby.stop('immediate');
    assert.equal(await reads.replica.read(whichServer), 'primary');
    assert.equal(await reads.replica.count(whichServer), 'primary');
    standby = await servers.startAgain('standby');
    await untilReplayed(primary, standby);
    await reads.pollAt(3);
    assert.equal(await reads.replica.read(whichServer), 'replica');
  });

  test('are repeated on the primary if they conflicted with what the replica replayed, not if they took too long', async () => {
    await using _ = reads;
    for (const [at, code, servers] of [
      [0, '40001', ['replica', 'primary']],
      [3, '57P01', ['replica', 'primary']],
      [6, '57014', ['replica']],
      [9, '22012', ['replica']],
    ] as const) {
      await reads.pollAt(at);
      const asked: string[] = [];
      const failing = reads.replica.read(async (db) => {
        asked.push(await whichServer(db));
        await sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`).execute(db);
      });
      await assert.rejects(failing, { code });
      assert.deepEqual(asked, servers, code);
    }
    const refusal = toRefusal({ code: '57P01' });
    let times = 0;
    await assert.rejects(
      reads.replica.read(async () => {
        times += 1;
        throw refusal;
      }),
      refusal,
    );
    assert.equal(times, 1);
  });

  test('are answered by the primary when the other server was promoted too', async () => {
    await using _ = reads;
    const promoted = await servers.addReplica('promoted');
    await ask(promoted, 'select pg_promote()');
    await using apart = openReads(primary.url, promoted.url);
    await apart.pollAt(0);
    await ask(promoted, 'create table only_here ()', 'steward');
    const found = await apart.replica.read(
      async (db) => (await sql<{ t: string | null }>`select to_regclass('only_here') as t`.execute(db)).rows,
    );
    assert.deepEqual(found, [{ t: null }]);
  });

  test('are answered by the new primary while the replica has rows of the old one that no longer exist', async () => {
    await using _ = reads;
    const ahead = await servers.addReplica('ahead');
    let behind = await servers.addReplica('behind');
    await behind.stop();
    for (let row = 0; row < 50; row += 1) await write();
    await untilReplayed(primary, ahead);
    const isReplayed = await ask(primary, 'select pg_current_wal_flush_lsn()');
    await primary.stop('immediate');
    behind = await servers.startAgain('behind');
    await ask(behind, 'select pg_promote()');
    assert.equal(await ask(ahead, `select pg_last_wal_replay_lsn() >= '${isReplayed}'`), true);
    assert.equal(await ask(behind, `select pg_current_wal_flush_lsn() < '${isReplayed}'`), true);
    await using apart = openReads(behind.url, ahead.url);
    await apart.pollAt(0);
    assert.equal(await apart.replica.read(whichServer), 'primary');
  });
});

test('without a replica, reads use the pools of the primary', async () => {
  const [db, slowQueryPool] = [{} as Database, {} as Database];
  const pool = {} as pg.Pool;
  const rest = { pool, log: createLog('silent'), max: { reads: 1, counts: 1 }, slowQueryMs: 1 };
  const replica = createReplica({ connection: undefined, db, slowQueryPool, ...rest });
  assert.equal(await replica.read(async (used) => used), db);
  assert.equal(await replica.count(async (used) => used), slowQueryPool);
  assert.equal(replica.countReads, undefined);
});
