import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedConnection } from '#platform/embedded-postgres/embedded-postgres.ts';
import { findRunningPostmaster, listProcesses } from '#platform/embedded-postgres/processes.ts';
import { fastTmpdir } from '#testing/faults/fast-tmpdir.ts';

/** A directory that goes when the test ends, with whatever PostgreSQL still runs on it. */
export interface TemporaryDir extends AsyncDisposable {
  path: string;
  /** Ends whatever PostgreSQL runs on it, so that a failed test leaves nothing to the next one. */
  quiet(): Promise<void>;
}

export function temporaryDir(base = fastTmpdir()): TemporaryDir {
  const path = realpathSync(mkdtempSync(join(base, 'embedded-')));
  // Root's PostgreSQL runs as another user, who has to get in.
  chmodSync(path, 0o711);
  const clusterDir = join(path, 'postgres');
  const quiet = async (): Promise<void> => {
    const postmaster = findRunningPostmaster(clusterDir);
    // Asked to quit, it takes its shared memory along; killed, it would leave that to the machine.
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    for (let attempts = 0; attempts < 100 && listProcesses(clusterDir).length > 0; attempts += 1) await delay(20);
    listProcesses(clusterDir).forEach(forceKill);
  };
  return {
    path,
    quiet,
    [Symbol.asyncDispose]: async () => {
      await quiet();
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedConnection,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** What the holding process says when PostgreSQL is up. */
export interface Held {
  process: ChildProcess;
  connection: EmbeddedConnection;
  started: boolean;
  postmaster: number;
}

/** Starts a process that holds the PostgreSQL of a data directory, as the given user if any. Rejects with what it said. */
export async function hold(
  dataDir: string,
  options: { uid?: number; gid?: number; program?: string; args?: string[] } = {},
): Promise<Held> {
  const { program = join(import.meta.dirname, 'postgres-holder-process.ts'), args = [], ...user } = options;
  const child = spawn(process.execPath, [program, '--data-dir', dataDir, ...args], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const up = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.out += text;
      if (said.out.endsWith('\n')) resolve();
    });
  });
  const ended = once(child, 'close').then(() => Promise.reject(new Error(said.err)));
  await Promise.race([up, ended]);
  ended.catch(() => undefined);
  return { process: child, ...(JSON.parse(said.out) as Omit<Held, 'process'>) };
}

/** kill -9 of the holding process; returns when it is gone. */
export async function killHolderProcess({ process: holder }: Held): Promise<void> {
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
}

/** kill -9, where the process may have gone already. */
export function forceKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone.
  }
}
