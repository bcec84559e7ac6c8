import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';
import { isRoot, unprivilegedUser } from '@steward/embedded-postgres/user.ts';
import pg from 'pg';
import { collectOutput } from '#testing/faults/collect-output.ts';

/** Where Debian puts the programs of PostgreSQL, of the oldest version that is there. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin')
  .filter((directory) => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'pg_dump')))
  .sort()[0];

/** Why a test that needs these programs cannot be run here; false where it can. */
export const WITHOUT_PROGRAMS = PROGRAMS === undefined ? 'there is no PostgreSQL of Debian on this machine' : false;

/** Settings of clusters that are thrown away after the test. */
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', listen_addresses: '' };

/** A directory that the operating system's account of PostgreSQL may write to, for its clusters and their archives. */
export interface ClusterDir extends AsyncDisposable {
  path: string;
  /** Runs one of PostgreSQL's programs; answers what it said on standard output. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Makes an empty cluster with the role `steward` and a database of it, as the operator's guide says, and starts it. */
  newCluster(name: string, settings?: Record<string, string>): Promise<Cluster>;
  /** Starts a cluster whose files exist already. */
  startCluster(name: string, settings?: Record<string, string>): Promise<Cluster>;
}

/** A running PostgreSQL on a socket of its own. */
export interface Cluster {
  /** The database of the role `steward`. */
  url: string;
  superuserUrl: string;
  directory: string;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

/** Makes the directory; with it go its clusters. */
export function createClusterDir(): ClusterDir {
  if (PROGRAMS === undefined) throw new Error('there are no programs of PostgreSQL');
  const programs = PROGRAMS;
  const path = mkdtempSync(join(fastTmpdir(), 'clusters-'));
  const account = isRoot() ? unprivilegedUser(undefined) : undefined;
  chmodSync(path, 0o711);
  if (account) chownSync(path, account.uid, account.gid);
  const running = new Map<string, Cluster>();

  const run = (program: string, args: readonly string[]) =>
    output(join(programs, program), args, { cwd: path, ...(account ? { uid: account.uid, gid: account.gid } : {}) });
  const startCluster = async (name: string, settings: Record<string, string> = {}) => {
    const directory = join(path, name);
    const set = { ...THROWAWAY, unix_socket_directories: path, port: String(5500 + running.size), ...settings };
    // Of two lines for one setting the later counts: a restored cluster brings those of its origin along.
    const lines = Object.entries(set).map(([key, value]) => `${key} = '${value}'\n`);
    appendFileSync(join(directory, 'postgresql.conf'), lines.join(''));
    await run('pg_ctl', ['-D', directory, '-w', '-t', '60', '-l', join(path, `${name}.log`), 'start']);
    const toUrl = (user: string, database: string) =>
      `postgres://${user}@${encodeURIComponent(path)}:${set.port}/${database}`;
    const cluster: Cluster = {
      url: toUrl('steward', 'steward'),
      superuserUrl: toUrl('postgres', 'postgres'),
      directory,
      async stop(mode = 'fast') {
        if (running.delete(name)) await run('pg_ctl', ['-D', directory, '-w', '-m', mode, 'stop']);
      },
    };
    running.set(name, cluster);
    return cluster;
  };
  return {
    path,
    run,
    startCluster,
    async newCluster(name, settings) {
      const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
      await run('initdb', ['-D', join(path, name), ...options]);
      const cluster = await startCluster(name, settings);
      await asSuperuser(cluster, ['create role steward login', 'create database steward owner steward']);
      return cluster;
    },
    async [Symbol.asyncDispose]() {
      for (const cluster of running.values()) await cluster.stop('immediate');
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

async function asSuperuser(cluster: Cluster, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function output(
  program: string,
  args: readonly string[],
  options: { cwd: string; uid?: number; gid?: number },
): Promise<string> {
  const env = { PATH: process.env.PATH, TZ: 'UTC' };
  const { code, out, err } = await collectOutput(
    spawn(program, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${err}${out}`);
  return out;
}
