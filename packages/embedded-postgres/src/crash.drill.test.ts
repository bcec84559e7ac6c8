import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, test } from 'vitest';
import { forceKill, hold, killHolderProcess, query, temporaryDir } from '../testing/temporary-cluster.ts';
import { claimDataDir, startEmbeddedPostgres, supervisePostgres } from './embedded-postgres.ts';
import { findRunningPostmaster, isAlive, listProcesses, readPid } from './processes.ts';
import { isRoot } from './user.ts';

// These tests read /proc.
const onLinux = { skip: process.platform !== 'linux' };

// Creating a cluster is slow: the tests share one, and each stops the PostgreSQL that it started.
const dir = temporaryDir();
afterEach(() => dir.quiet());
afterAll(() => dir[Symbol.asyncDispose]());

test('leftovers of a killed initdb are deleted, and the cluster is created again', async () => {
  mkdirSync(join(dir.path, `postgres.new-${process.pid}`, 'base'), { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(postgres.started, true);
  assert.deepEqual(readdirSync(dir.path).sort(), ['postgres', 'postgres.log', 'socket']);
  await postgres.stop();
});

test('a start after kill -9 of the server takes over its PostgreSQL and its lock', async () => {
  const server = await hold(dir.path);
  await query(server.connection, 'create table notes as select 42 as answer');
  await killHolderProcess(server);
  assert.ok(isAlive(server.postmaster));
  const next = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(next.started, false);
  assert.equal(readPid(join(dir.path, 'postgres')), server.postmaster);
  const claim = await claimDataDir(next.connection);
  assert.deepEqual(await query(next.connection, 'select answer from notes'), [{ answer: 42 }]);
  await claim.release();
  await next.stop();
});

test('kill -9 of server and PostgreSQL together, three times in a row, loses no committed row', async () => {
  for (let round = 1; round <= 3; round += 1) {
    const server = await hold(dir.path);
    assert.equal(server.started, true);
    await query(server.connection, 'create table if not exists rounds (round int)');
    await query(server.connection, `insert into rounds values (${round})`);
    forceKill(server.postmaster);
    await killHolderProcess(server);
  }
  const last = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.deepEqual(await query(last.connection, 'select count(*)::int as rounds from rounds'), [{ rounds: 3 }]);
  await last.stop();
});

test('a busy backend that survives its killed PostgreSQL does not block the next start', onLinux, async () => {
  const server = await hold(dir.path);
  const client = new pg.Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  const [backend] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
  client.query('select count(*) from generate_series(1, 10000000000)').catch(() => undefined);
  const busy = `select 1 from pg_stat_activity where state = 'active' and pid = ${backend?.pid}`;
  while ((await query(server.connection, busy)).length === 0);
  forceKill(server.postmaster);
  await killHolderProcess(server);
  assert.ok(listProcesses(join(dir.path, 'postgres')).includes(backend?.pid ?? 0));
  const next = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(next.started, true);
  assert.ok(!listProcesses(join(dir.path, 'postgres')).includes(backend?.pid ?? 0));
  await next.stop();
});

test('a stale postmaster.pid with the pid of another program does not block a start', onLinux, async () => {
  const first = await startEmbeddedPostgres({ dataDir: dir.path });
  const clusterDir = join(dir.path, 'postgres');
  const pidFile = join(clusterDir, 'postmaster.pid');
  const content = readFileSync(pidFile, 'utf8');
  await first.stop();
  // PostgreSQL itself takes any live process of its account for a postmaster.
  const { uid, gid } = statSync(clusterDir);
  const stranger = spawn('sleep', ['60'], { ...(isRoot() && { uid, gid }) });
  await once(stranger, 'spawn');
  writeFileSync(pidFile, content.replace(/^\d+/, String(stranger.pid)));
  const second = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(second.started, true);
  await second.stop();
  assert.equal(stranger.exitCode, null);
  stranger.kill();
});

test('a directory that is not a cluster is rejected and left unchanged', async () => {
  await using thesis = temporaryDir();
  mkdirSync(join(thesis.path, 'postgres'), { mode: 0o700 });
  writeFileSync(join(thesis.path, 'postgres', 'thesis.txt'), 'years of work');
  await assert.rejects(startEmbeddedPostgres({ dataDir: thesis.path }), /is not a PostgreSQL cluster/);
  assert.equal(readFileSync(join(thesis.path, 'postgres', 'thesis.txt'), 'utf8'), 'years of work');
});

test('Ctrl-C does not reach PostgreSQL, and SIGTERM to the server stops both', async () => {
  const server = await hold(dir.path);
  if (process.platform === 'linux') assert.equal(getUnixSession(server.postmaster), server.postmaster);
  server.process.kill('SIGTERM');
  assert.deepEqual(await once(server.process, 'exit'), [0, null]);
  assert.equal(isAlive(server.postmaster), false);
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);
});

function getUnixSession(pid: number): number {
  // After the name in parentheses: state, parent, group, session.
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]);
}

test('a PostgreSQL killed under its server is restarted with everything it acknowledged', async () => {
  await using dir = temporaryDir();
  const seen = new EventTarget();
  const options = { dataDir: dir.path, log: (line: string) => seen.dispatchEvent(new Event(line)) };
  const embedded = await startEmbeddedPostgres(options);
  const kept = await supervisePostgres(embedded, options);
  await query(embedded.connection, 'create table notes as select 42 as answer');

  const cluster = join(dir.path, 'postgres');
  const before = findRunningPostmaster(cluster);
  assert.ok(before);
  const back = once(seen, 'PostgreSQL started');
  process.kill(before, 'SIGKILL');
  await back;
  assert.deepEqual(await query(embedded.connection, 'select answer from notes'), [{ answer: 42 }]);
  assert.notEqual(findRunningPostmaster(cluster), before);

  await kept.release();
  await embedded.stop();
  assert.deepEqual(listProcesses(cluster), []);
});
