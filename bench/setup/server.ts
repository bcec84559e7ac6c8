import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BUILT_SERVER, buildServer } from '../../tools/build/build-server.ts';
import { freePort } from '../../tools/run/free-port.ts';
import type { BenchDatabase, Team } from './database.ts';
import { openClient } from './load.ts';

const READY_WITHIN_MS = 60_000;

/** The built server in a separate process. */
export interface Server extends AsyncDisposable {
  port: number;
  /** Milliseconds from its start to the first response of /readyz. */
  readyAfter: number;
}

/** Starts the server on the bench's database; `embedded` starts PostgreSQL too, as `npm start` does. */
export async function startServer(database: BenchDatabase, { embedded = false } = {}): Promise<Server> {
  await buildServer();
  const port = await freePort();
  const own = mkdtempSync(join(tmpdir(), 'steward-bench-server-'));
  const data = embedded ? { DATA_DIR: database.dataDir } : { ...database.env, DATA_DIR: own };
  const from = performance.now();
  const child = spawn(process.execPath, [BUILT_SERVER], {
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', DEMO: '0', LIMITS: 'off', ...data },
    // The log is written but discarded: a line per request is part of the cost of a request.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    await end(child);
    rmSync(own, { recursive: true, force: true });
  };
  const client = openClient(port);
  while ((await client.send({ path: '/readyz' }).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() - from > READY_WITHIN_MS) {
      await stop();
      throw new Error('The server did not start.');
    }
    await delay(5);
  }
  client.close();
  return { port, readyAfter: performance.now() - from, [Symbol.asyncDispose]: stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts reference-process.ts and reads the first line of its output. */
export async function startReference(task: object): Promise<{ said: string } & AsyncDisposable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reference-process.ts'), JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('The reference process ended.'))),
  ])) as [Buffer];
  return { said: line.toString().trim(), [Symbol.asyncDispose]: () => end(child) };
}

export async function signIn({ port }: Server, { owner }: Team): Promise<string> {
  const client = openClient(port);
  const body = { login_id: owner.email, password: owner.password };
  const { status, cookies } = await client.send({ path: '/api/v4/users/login', method: 'POST', body });
  client.close();
  if (status !== 200) throw new Error(`The owner could not sign in (${status}).`);
  return cookies;
}

export interface Vitals {
  residentMiB: number;
  /** Longest stall of the event loop since the last reading. */
  stallMs: number;
}

/** Reads the metrics, which resets the stall. */
export async function readVitals({ port }: Pick<Server, 'port'>): Promise<Vitals> {
  const client = openClient(port);
  const text = (await client.send({ path: '/metrics' })).body.toString();
  client.close();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    residentMiB: value('process_resident_memory_bytes') / 2 ** 20,
    stallMs: value('nodejs_eventloop_lag_max_seconds') * 1000,
  };
}
