import { query } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { type Cluster, createClusterDir } from '#testing/database/system-postgres.ts';

/** The port of a socket must not depend on how many servers are running. */
const FIRST_PORT = 5601;

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

export async function startReplicatedPostgres() {
  const room = createClusterDir();
  const primary = await room.newCluster('primary', { wal_keep_size: '64MB', synchronous_commit: 'on' });
  const ports = new Map<string, string>();
  const db = createDatabase(createPool({ connectionString: primary.url }, { max: 1, name: 'test', unlimited: true }));
  await migrate(db).finally(() => db.destroy());
  return {
    primary,
    /** Copies the primary and starts the copy as its replica. */
    async addReplica(name: string) {
      const port = String(FIRST_PORT + ports.size);
      ports.set(name, port);
      const from = ['-h', room.path, '-p', new URL(primary.superuserUrl).port, '-U', 'postgres'];
      const options = ['-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
      await room.run('pg_basebackup', ['-D', `${room.path}/${name}`, ...from, ...options]);
      return room.startCluster(name, { port });
    },
    startAgain: (name: string) => room.startCluster(name, { port: ports.get(name) ?? '' }),
    [Symbol.asyncDispose]: () => room[Symbol.asyncDispose](),
  };
}

export async function ask(cluster: Cluster, statement: string, database = 'postgres'): Promise<unknown> {
  const url = Object.assign(new URL(cluster.superuserUrl), { pathname: `/${database}` });
  const [row = {}] = await query({ connectionString: url.href }, statement);
  return Object.values(row)[0];
}

/** Waits until the replica has replayed everything that the primary has written so far. */
export async function untilReplayed(primary: Cluster, replica: Cluster): Promise<void> {
  const lsn = await ask(primary, 'select pg_current_wal_lsn()');
  // PostgreSQL has no event for this.
  while (!(await ask(replica, `select pg_last_wal_replay_lsn() >= '${lsn}'`)));
}
