// `npm start` runs in a fresh clone: its output and its data are checked, and that no process remains afterwards.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listProcesses } from '@steward/embedded-postgres/processes.ts';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { runWorkspace } from '@steward/server/testing/app/programs.ts';
import { listen } from '@steward/server/testing/peers/listen.ts';
import { afterAll, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Started {
  npm: ChildProcess;
  url: string;
  said: string;
}

const running = new Set<ChildProcess>();
// Stops the servers of failed tests.
afterAll(() => {
  for (const npm of running) npm.kill('SIGTERM');
});

/** Runs `npm start` until it prints its address; rejects with its errors otherwise. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<Started> {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(npm);
  npm.once('close', () => running.delete(npm));
  const started = { npm, url: '', said: '' };
  const up = new Promise<void>((resolve) => {
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      started.said += text;
      // The line about mails is the last one of the welcome.
      started.url = /^ {2}Steward is at (\S+)$[\s\S]*^ {2}Outgoing email is captured/m.exec(started.said)?.[1] ?? '';
      if (started.url !== '') resolve();
    });
  });
  let complaints = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ended = once(npm, 'close').then(() => Promise.reject(new Error(`\n${complaints}`)));
  await Promise.race([up, ended]);
  ended.catch(() => undefined);
  return started;
}

/** Only npm gets the SIGTERM, not its group. */
async function end({ npm }: Started): Promise<void> {
  const closed = once(npm, 'close');
  npm.kill('SIGTERM');
  // `close` comes when the last process that holds its output is gone.
  await closed;
}

function signIn(url: string, password: string): Promise<Response> {
  return fetch(`${url}/api/v4/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login_id: 'owner@steward.example', password }),
  });
}

it('npm start reports a used port or a wrong configuration, creates a demo workspace once, keeps it, and stops everything on SIGTERM', async () => {
  await using dir = temporaryDir();
  await using other = await listen(createServer());
  const used = { PORT: String(other.port) };
  await assert.rejects(start(dir.path, used), new RegExp(`^Port ${other.port} is in use: `, 'm'));
  await assert.rejects(start(dir.path, { PORT: 'many' }), /Invalid configuration:\n +PORT: /);
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);

  // The start that failed has kept the password for this one.
  const first = await start(dir.path);
  const password = /^ {4}password {2}(\S+)$/m.exec(first.said)?.[1] ?? '';
  assert.equal((await signIn(first.url, password)).status, 200);
  const page = await fetch(`${first.url}/login`);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);

  await assert.rejects(start(dir.path), /^Another Steward server is running on .*: stop it, or set DATA_DIR\.$/m);
  assert.equal((await signIn(first.url, password)).status, 200, 'the first server still works');
  const made = await runWorkspace(
    ['create-team', '--name', 'Beside', '--owner-email', 'beside@example.com', '--json'],
    { DATA_DIR: dir.path },
  );
  assert.equal(made.code, 0, made.err);
  assert.equal((await signIn(first.url, password)).status, 200, 'the command left PostgreSQL running');
  await end(first);
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);

  const second = await start(dir.path);
  assert.doesNotMatch(second.said, /password/);
  assert.equal((await signIn(second.url, password)).status, 200);
  await end(second);
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);
});
