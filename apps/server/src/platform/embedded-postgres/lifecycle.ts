import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { SUPERUSER, spawnOptions } from './cluster.ts';
import type { Place } from './location.ts';
import { findRunningPostmaster, isAlive, isRunningIn, listBackends, readPid } from './processes.ts';

const PROBE_EVERY_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
// Replaying a large journal after a crash takes its time.
const READY_TIMEOUT_MS = 120_000;
const LEFTOVERS_TIMEOUT_MS = 15_000;
const LEFTOVERS_PATIENCE_MS = 1_500;
const FAST_STOP_MS = 10_000;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const ANOTHER_HOLDS_IT = /lock file .* already exists|pre-existing shared memory|is another postmaster/i;

/** The settings of the postmaster by name; on the command line, so that they follow the release and not the cluster's age. */
export type Settings = Record<string, string>;

/** Connects to the running cluster as its superuser. The caller ends the client. */
export async function connectSuperuser(place: Place): Promise<pg.Client> {
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
  // A postmaster that stops under us is reported by the query in flight; unheard, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Brings the postmaster up: adopts a running one, outwaits the remains of a killed one, starts one. True: started. */
export async function raise(place: Place, binaries: Binaries, settings: Settings): Promise<boolean> {
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
      // Between our start and the answer another process may have been faster: then ours is ending by itself.
      return findRunningPostmaster(place.clusterDir) === child.pid || process.platform === 'win32';
    }
    const said = fatalLines(place.logFile, logStart);
    if (!ANOTHER_HOLDS_IT.test(said) || Date.now() > retryUntil) {
      throw new Error(`PostgreSQL did not start: ${failure?.message ?? said} (all of it: ${place.logFile})`);
    }
    await delay(200);
  }
}

/** Fast shutdown: running statements are cut, everything committed is kept. Returns when the postmaster has gone. */
export async function lower(place: Place): Promise<void> {
  const pid = findRunningPostmaster(place.clusterDir);
  if (pid === undefined) return;
  // Not by its pid file, which it removes a moment before it ends.
  const gone = (): boolean => !isRunningIn(pid, place.clusterDir);
  process.kill(pid, 'SIGINT');
  if (await holdsWithin(FAST_STOP_MS, gone)) return;
  // An immediate shutdown loses nothing committed either; the next start replays the journal.
  process.kill(pid, 'SIGQUIT');
  if (!(await holdsWithin(FAST_STOP_MS, gone))) throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

/** True as soon as the cluster takes connections; false when `worthWaiting` ends first. Throws at the deadline. */
async function isReadyBefore(place: Place, deadline: number, worthWaiting: () => boolean): Promise<boolean> {
  for (;;) {
    const promising = worthWaiting();
    if (await answers(place)) return true;
    if (!promising) return false;
    if (Date.now() > deadline) throw new Error(`PostgreSQL does not answer (see ${place.logFile}).`);
    await delay(PROBE_EVERY_MS);
  }
}

async function answers(place: Place): Promise<boolean> {
  const client = await connectSuperuser(place).catch(() => undefined);
  if (client === undefined) return false;
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  const found = rows[0]?.data_directory;
  if (found === place.clusterDir || process.platform === 'win32') return true;
  throw new Error(`The PostgreSQL at ${place.host} works on ${found}, not on ${place.clusterDir}.`);
}

/** Makes way for a new postmaster; false when there turns out to be a living one. */
async function clearLeftovers(place: Place): Promise<boolean> {
  const { clusterDir } = place;
  const living = (): boolean => findRunningPostmaster(clusterDir) !== undefined;
  // Backends outlive a killed postmaster until they notice. One that computes does not: it is told to end.
  const clear = (): boolean => living() || listBackends(clusterDir).length === 0;
  if (!(await holdsWithin(LEFTOVERS_PATIENCE_MS, clear))) {
    for (const pid of listBackends(clusterDir)) process.kill(pid, 'SIGQUIT');
    await holdsWithin(LEFTOVERS_PATIENCE_MS, clear);
  }
  if (living()) return false;
  // PostgreSQL sees by itself that a dead process holds no lock, but takes any living one of its user for a postmaster.
  const pid = readPid(clusterDir);
  if (pid !== undefined && isAlive(pid) && !living()) {
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    rmSync(join(place.host, `.s.PGSQL.${place.port}.lock`), { force: true });
  }
  return true;
}

function spawnPostmaster(place: Place, binaries: Binaries, settings: Settings): ChildProcess {
  const log = openSync(place.logFile, 'a', 0o600);
  const flags = Object.entries({ ...addressSettings(place), ...settings }).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(join(binaries.native, 'bin', 'postgres'), ['-D', place.clusterDir, ...flags], {
    ...spawnOptions(place),
    // Its own session: the terminal's Ctrl-C must reach the server first and PostgreSQL last, by `stop`.
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  closeSync(log);
  return child;
}

function addressSettings({ host, port, password }: Place): Settings {
  if (password !== undefined) return { listen_addresses: host, port: String(port), unix_socket_directories: '' };
  // The setting is a list: quoted, a comma in the path stays part of it.
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
