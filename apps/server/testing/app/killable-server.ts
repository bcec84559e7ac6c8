import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServeLimits } from './serve-process.ts';
import type { TestApp } from './start-app.ts';

/** Shared with the product itself and with every other test: starts after the first take half the time. */
const COMPILED = join(import.meta.dirname, '../../../../node_modules/.cache/compiled');

const SERVER = 'serve-process.ts';

/** The real server as a process of its own, to be stopped or killed in the middle of its work. */
export interface KillableServer extends Disposable {
  /** Starts it on the test's database and answers its address when it listens. */
  start(): Promise<string>;
  /** SIGKILL; ends when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code; null if the process had to be killed. */
  stop(): Promise<number | null>;
  /** Any other signal; ends with the process, and tells its exit code and what it logged to its standard error. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; lines: LogLine[] }>;
}

/** A line of the log, as far as tests look at it. */
interface LogLine {
  level: number;
  msg: string;
  err?: { message: string };
}

/** Where the database is, through its pooler if it has one. */
function toVariables({ url, pooler }: { url: string; pooler?: unknown }): Record<string, string> {
  if (pooler === undefined) return { DATABASE_URL: url };
  return { DATABASE_URL: (pooler as { connectionString: string }).connectionString, DATABASE_DIRECT_URL: url };
}

interface KillableOptions extends ServeLimits {
  /** It works in the background too where this says so. */
  roles?: string;
  env?: Record<string, string>;
  /** What is run, of this directory; the server as it is unless said. */
  program?: string;
  /** Modules that are loaded before the server. */
  imports?: readonly string[];
  /** How many files and sockets it may have open; on systems with a shell. */
  openFiles?: number;
}

/** Makes one on the database of a test app. */
export function killableServer(
  node: { database: { url: string; pooler?: unknown }; deps: Pick<TestApp['deps'], 'env'> },
  { roles = 'web', env: more = {}, imports = [], program = SERVER, requestMs, limits, openFiles }: KillableOptions = {},
): KillableServer {
  let server: ChildProcess | undefined;
  let said = '';
  const filesUrl = node.deps.env.FILES_URL ?? '';
  mkdirSync(COMPILED, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: COMPILED,
    ...toVariables(node.database),
    SECRET_KEY: '5e'.repeat(32),
    PUBLIC_URL: 'http://steward.test',
    ALLOW_INSECURE: '1',
    SIGNUP: 'open',
    FILES_URL: filesUrl,
    // Mails that it keeps go with the test's files.
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
    async start() {
      const modules = imports.flatMap((module) => ['--import', module]);
      const line = [process.execPath, ...modules, join(import.meta.dirname, program)];
      if (program === SERVER) line.push(JSON.stringify({ requestMs, limits }));
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
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async end(signal) {
      const code = await end(signal);
      const lines = said.split('\n').filter((line) => line.startsWith('{'));
      return { code, lines: lines.map((line) => JSON.parse(line) as LogLine) };
    },
    [Symbol.dispose]() {
      server?.kill('SIGKILL');
    },
  };
}
