import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@steward/embedded-postgres/location.ts';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';
import pg from 'pg';
import { CONNECT_QUERY } from '#platform/database/cluster/pooler.ts';
import { findMissing, program, programAccount } from './program.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** The skip reason of tests with PgBouncer; false if it is installed. */
export const WITHOUT_PGBOUNCER = findMissing([PROGRAM]) !== undefined && 'PgBouncer is not installed';

export type Pooler = Awaited<ReturnType<typeof startPgBouncer>>;

/** `connectQuery` is the statement on each new connection to PostgreSQL; by default, it sets our limits. */
export async function startPgBouncer(target: string, { connectQuery = CONNECT_QUERY, size = 4 } = {}) {
  const directory = mkdtempSync(join(fastTmpdir(), 'pgbouncer-'));
  const account = programAccount();
  if (account) chownSync(directory, account.uid, account.gid);
  const port = await freePort();
  const { host, port: behind, user, password, database } = new pg.Client({ connectionString: target });
  const line = `host=${host} port=${behind} user=${user} ${password ? `password=${password}` : ''}`;
  writeFileSync(
    join(directory, 'pgbouncer.ini'),
    `[databases]
* = ${line}${connectQuery && ` connect_query='${connectQuery}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
`,
  );
  const url = `postgres://${user}@127.0.0.1:${port}/${database}`;
  const isReady = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    return true;
  };
  const pooler = program(PROGRAM, ['pgbouncer.ini'], {
    cwd: directory,
    logFile: join(directory, 'pgbouncer.log'),
    isReady,
  });
  await pooler.start();
  return {
    url,
    async [Symbol.asyncDispose]() {
      await pooler.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
