import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  code: number;
  said: string;
}

export interface Running {
  /** The address in its ready line. */
  address: string;
  stop(): Promise<void>;
}

interface Shell {
  cwd: string;
  env: Record<string, string>;
}

/** Time limit of a command that isn't a server, in milliseconds. */
const HANGS_MS = 120_000;

/** Runs a line in a shell that stops at the first failure. */
export async function runLine(script: string, shell: Shell): Promise<Ended> {
  const { child, said } = spawnLine(script, shell, HANGS_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? 1, said: signal === null ? said() : `${said()}\nended by ${signal}` };
}

/** Starts a long-running line and waits until it is ready; throws its output if it exits first. */
export async function startLine(script: string, ready: RegExp, shell: Shell): Promise<Running> {
  const { child, said } = spawnLine(script, shell);
  const closed = once(child, 'close');
  const isReady = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const match = ready.exec(said());
      if (match) resolve(match[1] ?? '');
    });
  });
  const address = await Promise.race([
    isReady,
    closed.then(() => {
      throw new Error(`it ended before it was ready:\n${said()}`);
    }),
  ]);
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      // The children keep the output open, so all of them have ended once it is closed.
      const [code, signal] = (await closed) as [number | null, string | null];
      if (code !== 0 && code !== 143 && signal !== 'SIGTERM') throw new Error(`it ended with ${code}:\n${said()}`);
    },
  };
}

/** A timeout of 0 sets no limit. */
function spawnLine(script: string, { cwd, env }: Shell, timeout = 0): { child: ChildProcess; said: () => string } {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-8_000);
    });
  }
  return { child, said: () => said };
}
