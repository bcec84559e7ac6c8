import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { SUPERUSER, spawnOptions } from './cluster.ts';
import type { ClusterLocation } from './location.ts';
import { findRunningPostmaster, isAlive, isRunningIn, listBackends, readPid } from './processes.ts';

const PROBE_EVERY_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
// Replaying a large WAL after a crash takes a while.
const READY_TIMEOUT_MS = 120_000;
const LEFTOVERS_TIMEOUT_MS = 15_000;
const BACKENDS_TIMEOUT_MS = 1_500;
const FAST_STOP_MS = 10_000;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LOCKED_BY_ANOTHER = /lock file .* already exists|pre-existing shared memory|is another postmaster/i;

/** Settings of the postmaster by name; passed on the command line, so that they come from the release and not the cluster. */
export type Settings = Record<string, string>;

/** Connects to the running cluster as its superuser. The caller ends the client. */
export async function connectSuperuser(place: ClusterLocation): Promise<pg.Client> {
  const { host, port, password } = place;
  const client = new pg.Client({
    host,
    port,
    user: SUPERUSER,
    database: 'postgres',
    application_name: 'steward embedded',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ssl: false,
    ...(password !== undefined && { password }),
  });
  // If the postmaster stops, the running query fails. Without a listener, this event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Adopts a running postmaster, or clears the leftovers of a killed one and starts a new one. Returns true if it started one.
 */
export async function startPostmaster(
  place: ClusterLocation,
  binaries: Binaries,
  settings: Settings,
): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const retryUntil = Date.now() + LEFTOVERS_TIMEOUT_MS;
  for (;;) {
    if (await isReadyBefore(place, deadline, () => findRunningPostmaster(place.clusterDir) !== undefined)) return false;
    if (!(await clearLeftovers(place))) continue;
    const logStart = rotateLog(place.logFile);
    const child = spawnPostmaster(place, binaries, settings);
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    const running = (): boolean => failure === undefined && child.exitCode === null && child.signalCode === null;
    if (await isReadyBefore(place, deadline, running)) {
      // Another process may have started it first; then ours exits on its own.
      return findRunningPostmaster(place.clusterDir) === child.pid || process.platform === 'win32';
    }
    const errors = fatalLines(place.logFile, logStart);
    if (!LOCKED_BY_ANOTHER.test(errors) || Date.now() > retryUntil) {
      throw new Error(`PostgreSQL did not start: ${failure?.message ?? errors} (full log: ${place.logFile})`);
    }
    await delay(200);
  }
}

/** Fast shutdown: aborts running statements and keeps everything committed. Resolves when the postmaster has exited. */
export async function stopPostmaster(place: ClusterLocation): Promise<void> {
  const pid = findRunningPostmaster(place.clusterDir);
  if (pid === undefined) return;
  // Not by its pid file, which it removes a moment before it exits.
  const gone = (): boolean => !isRunningIn(pid, place.clusterDir);
  process.kill(pid, 'SIGINT');
  if (await holdsWithin(FAST_STOP_MS, gone)) return;
  // An immediate shutdown doesn't lose committed data either; the next start replays the WAL.
  process.kill(pid, 'SIGQUIT');
  if (!(await holdsWithin(FAST_STOP_MS, gone))) throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

/** True once the cluster accepts connections; false if `worthWaiting` turns false first. Throws at the deadline. */
async function isReadyBefore(place: ClusterLocation, deadline: number, worthWaiting: () => boolean): Promise<boolean> {
  for (;;) {
    const promising = worthWaiting();
    if (await answers(place)) return true;
    if (!promising) return false;
    if (Date.now() > deadline) throw new Error(`PostgreSQL does not respond (see ${place.logFile}).`);
    await delay(PROBE_EVERY_MS);
  }
}

async function answers(place: ClusterLocation): Promise<boolean> {
  const client = await connectSuperuser(place).catch(() => undefined);
  if (client === undefined) return false;
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  const found = rows[0]?.data_directory;
  if (found === place.clusterDir || process.platform === 'win32') return true;
  throw new Error(`The PostgreSQL at ${place.host} works on ${found}, not on ${place.clusterDir}.`);
}

/** Removes leftovers of a killed postmaster; false if one is running after all. */
async function clearLeftovers(place: ClusterLocation): Promise<boolean> {
  const { clusterDir } = place;
  const living = (): boolean => findRunningPostmaster(clusterDir) !== undefined;
  // Backends of a killed postmaster exit when they notice, except busy ones, which are terminated.
  const clear = (): boolean => living() || listBackends(clusterDir).length === 0;
  if (!(await holdsWithin(BACKENDS_TIMEOUT_MS, clear))) {
    for (const pid of listBackends(clusterDir)) process.kill(pid, 'SIGQUIT');
    await holdsWithin(BACKENDS_TIMEOUT_MS, clear);
  }
  if (living()) return false;
  // PostgreSQL ignores the pid of a dead process, but takes any live process of its user for a postmaster.
  const pid = readPid(clusterDir);
  if (pid !== undefined && isAlive(pid) && !living()) {
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    rmSync(join(place.host, `.s.PGSQL.${place.port}.lock`), { force: true });
  }
  return true;
}

function spawnPostmaster(place: ClusterLocation, binaries: Binaries, settings: Settings): ChildProcess {
  const log = openSync(place.logFile, 'a', 0o600);
  const flags = Object.entries({ ...addressSettings(place), ...settings }).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(join(binaries.native, 'bin', 'postgres'), ['-D', place.clusterDir, ...flags], {
    ...spawnOptions(place),
    // It gets a session of its own, because Ctrl-C must reach only the server, which stops PostgreSQL last.
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  closeSync(log);
  return child;
}

function addressSettings({ host, port, password }: ClusterLocation): Settings {
  if (password !== undefined) return { listen_addresses: host, port: String(port), unix_socket_directories: '' };
  // The setting is a list: quotes allow a comma in the path.
  const quoted = `"${host.replaceAll('"', '""')}"`;
  return { listen_addresses: '', port: String(port), unix_socket_directories: quoted, unix_socket_permissions: '0700' };
}

function rotateLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

function fatalLines(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|PANIC/.test(line));
  return (fatal.length > 0 ? fatal : lines.slice(-5)).join(' / ');
}

async function holdsWithin(ms: number, condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await delay(PROBE_EVERY_MS);
  }
  return true;
}
