import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedConnection } from '../src/embedded-postgres.ts';
import { findRunningPostmaster, listProcesses } from '../src/processes.ts';
import { fastTmpdir } from './fast-tmpdir.ts';

/** A data directory that is deleted when the test ends, after its PostgreSQL was stopped. */
export function temporaryDir(base = fastTmpdir()) {
  const path = realpathSync(mkdtempSync(join(base, 'embedded-')));
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(path, 0o711);
  const clusterDir = join(path, 'postgres');
  const quiet = async (): Promise<void> => {
    const postmaster = findRunningPostmaster(clusterDir);
    // After SIGQUIT it frees its shared memory; after SIGKILL the memory would stay allocated.
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    for (let attempts = 0; attempts < 100 && listProcesses(clusterDir).length > 0; attempts += 1) await delay(20);
    listProcesses(clusterDir).forEach(forceKill);
  };
  return {
    path,
    /** Stops a PostgreSQL that runs on it, so that a failed test doesn't disturb the next one. */
    quiet,
    [Symbol.asyncDispose]: async () => {
      await quiet();
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A process that holds a running PostgreSQL. */
export interface Held {
  process: ChildProcess;
  connection: EmbeddedConnection;
  started: boolean;
  postmaster: number;
}

/** Starts a process that holds the PostgreSQL of a data directory. Rejects with its error output if that fails. */
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
  const output = { out: '', err: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const up = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
      if (output.out.endsWith('\n')) resolve();
    });
  });
  const ended = once(child, 'close').then(() => Promise.reject(new Error(output.err)));
  await Promise.race([up, ended]);
  ended.catch(() => undefined);
  return { process: child, ...(JSON.parse(output.out) as Omit<Held, 'process'>) };
}

export async function killHolderProcess({ process: holder }: Held): Promise<void> {
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
}

/** Kills a process that may have ended already. */
export function forceKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
