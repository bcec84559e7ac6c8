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
import { timed } from './statistics.ts';

const READY_WITHIN_MS = 60_000;

/** A server in a process of its own. */
export interface Server {
  port: number;
  pid: number;
  /** Milliseconds from its start to the first answer of /readyz. */
  readyAfter: number;
  stop(): Promise<void>;
}

/** Besides the database: whether the server starts that too, and more environment variables. */
interface ServerOptions {
  embedded?: boolean;
  env?: Record<string, string>;
}

/** Starts the real server on a database, as `npm start` does; with `embedded` it starts the database too. */
export async function startServer(
  database: BenchDatabase,
  { embedded = false, env = {} }: ServerOptions = {},
): Promise<Server> {
  await buildServer();
  const port = await freePort();
  const mails = mkdtempSync(join(tmpdir(), 'steward-bench-mail-'));
  const data = embedded
    ? { DATA_DIR: database.dataDir ?? '' }
    : { DATABASE_URL: database.url, SECRET_KEY: database.secretKey, DATA_DIR: mails, ALLOW_INSECURE: '1' };
  const from = performance.now();
  const child = spawn(process.execPath, [BUILT_SERVER], {
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', DEMO: '0', LIMITS: 'off', ...data, ...env },
    // The log is written but discarded: a line per request is part of the cost of a request.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    await ended(child);
    rmSync(mails, { recursive: true, force: true });
  };
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() - from > READY_WITHIN_MS) {
      await stop();
      throw new Error('The server did not start.');
    }
    await delay(5);
  }
  return { port, pid: child.pid ?? 0, readyAfter: performance.now() - from, stop };
}

async function isReady(port: number): Promise<boolean> {
  const client = openClient(port);
  const reply = await client.send({ path: '/readyz' }).catch(() => undefined);
  client.close();
  return reply?.status === 200;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts reference-process.ts and returns the first line of its output. */
export async function startReference(task: object): Promise<{ said: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reference-process.ts'), JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('The reference process ended.'))),
  ])) as [Buffer];
  return { said: line.toString().trim(), pid: child.pid ?? 0, stop: () => ended(child) };
}

/** Signs in the owner of a team and returns the cookies. */
export async function signIn(server: Server, team: Team): Promise<string> {
  const client = openClient(server.port);
  const body = { login_id: team.owner.email, password: team.owner.password };
  const { status, cookies } = await client.send({ path: '/api/v4/users/login', method: 'POST', body });
  client.close();
  if (status !== 200) throw new Error(`The owner could not sign in (${status}).`);
  return cookies;
}

/** The server's own metrics. */
export interface Vitals {
  residentMiB: number;
  /** Longest stall of the event loop since the last reading. */
  stallMs: number;
}

/** Reads the metrics; each reading resets the stall. */
export async function vitals(server: Server): Promise<Vitals> {
  const client = openClient(server.port);
  const text = (await client.send({ path: '/metrics' })).body.toString();
  client.close();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    residentMiB: value('process_resident_memory_bytes') / 2 ** 20,
    stallMs: value('nodejs_eventloop_lag_max_seconds') * 1000,
  };
}

/** Reads the metrics repeatedly while some work runs; returns the highest values. */
export async function watchServer(server: Server, work: () => Promise<void>): Promise<Vitals & { samples: Vitals[] }> {
  await vitals(server);
  const samples: Vitals[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await delay(250);
      samples.push(await vitals(server));
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  const worst = (of: keyof Vitals) => Math.max(...samples.map((look) => look[of]));
  return { residentMiB: worst('residentMiB'), stallMs: worst('stallMs'), samples };
}

/** Times work on a server, and keeps the highest values of its metrics. */
export function createWatch(server: Server) {
  const worst: Vitals = { stallMs: 0, residentMiB: 0 };
  return {
    worst,
    /** Duration of the work in seconds. */
    async time(work: () => Promise<void>): Promise<number> {
      let took = 0;
      const seen = await watchServer(server, async () => {
        took = await timed(work);
      });
      worst.stallMs = Math.max(worst.stallMs, seen.stallMs);
      worst.residentMiB = Math.max(worst.residentMiB, seen.residentMiB);
      return took / 1000;
    },
  };
}
