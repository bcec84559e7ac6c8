import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { isRoot, type SystemUser, unprivilegedUser } from '@steward/embedded-postgres/user.ts';
import { until } from './until.ts';

interface ProgramOptions {
  cwd: string;
  logFile: string;
  isReady: () => Promise<boolean>;
  env?: Record<string, string>;
}

export function findMissing(programs: readonly string[]): string | undefined {
  return programs.find((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined);
}

/** The account for programs that refuse to run as root; undefined if we aren't root. */
export function programAccount(): SystemUser | undefined {
  return isRoot() ? unprivilegedUser(undefined) : undefined;
}

const READY_SECONDS = 20;

export type Program = ReturnType<typeof program>;

export function program(file: string, args: readonly string[], options: ProgramOptions) {
  const { cwd, logFile, isReady, env = {} } = options;
  const account = programAccount();
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    /** The process id, which changes with each start. */
    pid: () => child?.pid ?? 0,
    async start() {
      const started = spawn(file, args, {
        cwd,
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: cwd, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(account ? { uid: account.uid, gid: account.gid } : {}),
      });
      child = started;
      const log = createWriteStream(logFile, { flags: 'a' });
      started.stdout?.pipe(log, { end: false });
      started.stderr?.pipe(log, { end: false });
      started.once('close', () => log.end());
      await once(started, 'spawn');
      const failure = `${file} did not become ready, see ${logFile}`;
      await until(async () => {
        if (started.exitCode !== null || started.signalCode !== null) throw new Error(failure);
        return (await isReady().catch(() => false)) ? undefined : failure;
      }, READY_SECONDS).catch(async (error) => {
        await kill();
        throw error;
      });
    },
    kill,
  };
}
