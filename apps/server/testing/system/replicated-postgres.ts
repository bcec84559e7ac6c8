import pg from 'pg';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { type Cluster, type ClusterDir, createClusterDir } from '#testing/database/system-postgres.ts';

export interface ReplicatedPostgres extends AsyncDisposable {
  primary: Cluster;
  /** Copies the primary and starts the copy as its replica. */
  addReplica(name: string): Promise<Cluster>;
  startAgain(name: string): Promise<Cluster>;
}

/** The port of a socket must not depend on how many servers are running. */
const FIRST_PORT = 5601;

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const room = createClusterDir();
  const primary = await room.newCluster('primary', { wal_keep_size: '64MB', synchronous_commit: 'on' });
  const ports = new Map<string, string>();
  const db = createDatabase(createPool({ connectionString: primary.url }, { max: 1, name: 'test', unlimited: true }));
  await migrate(db).finally(() => db.destroy());
  return {
    primary,
    addReplica(name) {
      ports.set(name, String(FIRST_PORT + ports.size));
      return copyPrimary(room, primary, { name, port: ports.get(name) ?? '' });
    },
    startAgain: (name) => room.startCluster(name, { port: ports.get(name) ?? '' }),
    [Symbol.asyncDispose]: () => room[Symbol.asyncDispose](),
  };
}

async function copyPrimary(
  room: ClusterDir,
  primary: Cluster,
  { name, port }: { name: string; port: string },
): Promise<Cluster> {
  const address = ['-h', room.path, '-p', new URL(primary.superuserUrl).port, '-U', 'postgres'];
  const directory = `${room.path}/${name}`;
  await room.run('pg_basebackup', [
    '-D',
    directory,
    ...address,
    '-R',
    '-X',
    'stream',
    '--checkpoint=fast',
    '--no-sync',
  ]);
  return room.startCluster(name, { port });
}

/** Runs a statement as the superuser and returns the first value. */
export async function ask(cluster: Cluster, statement: string, database = 'postgres'): Promise<unknown> {
  const url = new URL(cluster.superuserUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Waits until the replica has replayed everything that the primary has written so far. */
export async function untilReplayed(primary: Cluster, replica: Cluster): Promise<void> {
  const lsn = await ask(primary, 'select pg_current_wal_lsn()');
  // PostgreSQL has no event for this.
  while (!(await ask(replica, `select pg_last_wal_replay_lsn() >= '${lsn}'`)));
}
