import { appendFileSync, chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';
import { query } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { isRoot, unprivilegedUser } from '@steward/embedded-postgres/user.ts';
import { runProgram } from '#testing/system/run-program.ts';

/** Debian's directory of PostgreSQL programs, oldest installed version. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin')
  .filter((directory) => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'pg_dump')))
  .sort()[0];

/** The skip reason of tests that need these programs; false if they are installed. */
export const WITHOUT_PROGRAMS = PROGRAMS === undefined ? 'there is no PostgreSQL of Debian on this machine' : false;

const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', listen_addresses: '' };

export type ClusterDir = ReturnType<typeof createClusterDir>;
export type Cluster = Awaited<ReturnType<ClusterDir['startCluster']>>;

/**
 * A directory for clusters and their archives, writable by the operating system's account of PostgreSQL. Disposing removes the
 * clusters too.
 */
export function createClusterDir() {
  if (PROGRAMS === undefined) throw new Error('there are no programs of PostgreSQL');
  const programs = PROGRAMS;
  const path = mkdtempSync(join(fastTmpdir(), 'clusters-'));
  const account = isRoot() ? unprivilegedUser(undefined) : undefined;
  chmodSync(path, 0o711);
  if (account) chownSync(path, account.uid, account.gid);
  const running = new Map<string, { stop(mode: 'immediate'): Promise<void> }>();

  const run = (program: string, args: readonly string[]) =>
    output(join(programs, program), args, { cwd: path, ...(account ? { uid: account.uid, gid: account.gid } : {}) });
  const startCluster = async (name: string, settings: Record<string, string> = {}) => {
    const directory = join(path, name);
    const set = { ...THROWAWAY, unix_socket_directories: path, port: String(5500 + running.size), ...settings };
    // The last line of a setting counts: a restored cluster also contains the settings of its origin.
    const lines = Object.entries(set).map(([key, value]) => `${key} = '${value}'\n`);
    appendFileSync(join(directory, 'postgresql.conf'), lines.join(''));
    await run('pg_ctl', ['-D', directory, '-w', '-t', '60', '-l', join(path, `${name}.log`), 'start']);
    const toUrl = (user: string, database: string) =>
      `postgres://${user}@${encodeURIComponent(path)}:${set.port}/${database}`;
    const cluster = {
      url: toUrl('steward', 'steward'),
      superuserUrl: toUrl('postgres', 'postgres'),
      directory,
      async stop(mode: 'fast' | 'immediate' = 'fast') {
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
    /** Creates and starts an empty cluster with the role `steward` and a database of it, as the operator's guide says. */
    async newCluster(name: string, settings?: Record<string, string>) {
      const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
      await run('initdb', ['-D', join(path, name), ...options]);
      const cluster = await startCluster(name, settings);
      const superuser = { connectionString: cluster.superuserUrl };
      await query(superuser, 'create role steward login');
      await query(superuser, 'create database steward owner steward');
      return cluster;
    },
    async [Symbol.asyncDispose]() {
      for (const cluster of running.values()) await cluster.stop('immediate');
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

async function output(program: string, args: readonly string[], options: { cwd: string; uid?: number; gid?: number }) {
  const env = { PATH: process.env.PATH, TZ: 'UTC' };
  const { code, out, err } = await runProgram(program, args, { ...options, env });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${err}${out}`);
  return out;
}
