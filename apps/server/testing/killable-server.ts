import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApp } from './start-app.ts';

const PROGRAM = join(import.meta.dirname, 'serve-process.ts');

/** The real server as a process of its own, to be killed in the middle of its work. */
export interface KillableServer extends Disposable {
  /** Starts it on the test's database and answers its address when it listens. */
  start(): Promise<string>;
  /** SIGKILL; ends when the process is gone. */
  kill(): Promise<void>;
}

/** Makes one on the database of a test app; it works in the background too where `roles` says so. */
export function killableServer(
  node: TestApp,
  { roles = 'web', env: more = {} }: { roles?: string; env?: Record<string, string> } = {},
): KillableServer {
  let server: ChildProcess | undefined;
  // Starts after the first take half the time.
  const cache = mkdtempSync(join(tmpdir(), 'steward-cache-'));
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: cache,
    DATABASE_URL: node.database.url,
    SECRET_KEY: '5e'.repeat(32),
    PUBLIC_URL: 'http://steward.test',
    DEMO: '0',
    FILES_URL: node.deps.env.FILES_URL ?? '',
    HOST: '127.0.0.1',
    PORT: '0',
    ROLES: roles,
    ...more,
  };
  return {
    async start() {
      const started = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      server = started;
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      return line.toString().trim();
    },
    async kill() {
      if (!server) return;
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    },
    [Symbol.dispose]() {
      server?.kill('SIGKILL');
      rmSync(cache, { recursive: true, force: true });
    },
  };
}
