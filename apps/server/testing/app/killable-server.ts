import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '#platform/env.ts';
import { type ProgramName, programFile } from './programs.ts';
import type { ServeLimits } from './serve-process.ts';
import type { TestApp } from './start-app.ts';

/** The compile cache is shared with the product and all other tests: later starts take half the time. */
const COMPILED = join(import.meta.dirname, '../../../../node_modules/.cache/compiled');

const SERVER = 'serve-process';

export type KillableServer = ReturnType<typeof killableServer>;

interface KillableOptions extends ServeLimits {
  roles?: string;
  env?: Record<string, string>;
  program?: ProgramName;
  /** Maximum open files and sockets; needs a shell. */
  openFiles?: number;
}

export function killableServer(
  node: { database: Pick<TestApp['database'], 'url' | 'pooler'>; deps: { env: Pick<Env, 'FILES_URL'> } },
  { roles = 'web', env: more = {}, program = SERVER, requestMs, limits, activityMs, openFiles }: KillableOptions = {},
) {
  let server: ChildProcess | undefined;
  let said = '';
  const { url, pooler } = node.database;
  const filesUrl = node.deps.env.FILES_URL ?? '';
  mkdirSync(COMPILED, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: COMPILED,
    ...(pooler ? { DATABASE_URL: pooler.connectionString, DATABASE_DIRECT_URL: url } : { DATABASE_URL: url }),
    SECRET_KEY: '5e'.repeat(32),
    PUBLIC_URL: 'http://steward.test',
    ALLOW_INSECURE: '1',
    SIGNUP: 'open',
    FILES_URL: filesUrl,
    // Keeps emails with the test's files.
    DATA_DIR: filesUrl.startsWith('file:') ? fileURLToPath(filesUrl) : '',
    HOST: '127.0.0.1',
    PORT: '0',
    ROLES: roles,
    ...more,
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return server?.exitCode ?? null;
    const gone = once(server, 'close');
    server.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  };
  return {
    /** Starts on the test's database and returns the URL when it listens. */
    async start() {
      const line = [process.execPath, programFile(program)];
      if (program === SERVER) line.push(JSON.stringify({ requestMs, limits, activityMs }));
      const limited = ['sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`];
      const [file = '', ...args] = [...(openFiles === undefined ? [] : limited), ...line];
      const started = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      server = started;
      said = '';
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (!text.startsWith('{')) process.stderr.write(text);
      });
      const failed = once(started, 'exit').then(([code, signal]) => {
        throw new Error(`the server ended while it started: ${code ?? signal} ${said}`);
      });
      failed.catch(() => undefined);
      const [address] = (await Promise.race([once(started.stdout, 'data'), failed])) as [Buffer];
      return address.toString().trim();
    },
    /** The process id, which changes with each start. */
    pid: () => server?.pid,
    async kill() {
      await end('SIGKILL');
    },
    /** Returns the exit code; null if the process had to be killed. */
    stop: (signal: NodeJS.Signals = 'SIGTERM') => end(signal),
    /** Lines of its log since the last start. */
    log: () => said.split('\n').filter((line) => line.startsWith('{')),
    [Symbol.dispose]() {
      server?.kill('SIGKILL');
    },
  };
}
