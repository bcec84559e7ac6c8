import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The pid in the cluster's postmaster.pid, which may be stale; undefined without the file. */
export function readPid(clusterDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The pid of the cluster's running postmaster. A stale pid that now belongs to another program doesn't count. */
export function findRunningPostmaster(clusterDir: string): number | undefined {
  const pid = readPid(clusterDir);
  return pid !== undefined && isRunningIn(pid, clusterDir) ? pid : undefined;
}

/** True for a process of any user, but not for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    // The state follows the name in parentheses.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false;
  } catch {
    return false;
  }
}

/** All PostgreSQL processes of the cluster, including orphans. Always empty on other systems than Linux. */
export function listProcesses(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isRunningIn(pid, clusterDir));
}

/** The processes other than a postmaster. Backends show their activity instead of a command line. */
export function listBackends(clusterDir: string): number[] {
  return listProcesses(clusterDir).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ');
    } catch {
      return false;
    }
  });
}

/** The processes of a cluster are recognized by their working directory, which is the cluster's directory. */
export function isRunningIn(pid: number, clusterDir: string): boolean {
  if (process.platform === 'linux') {
    try {
      // Also compares the name, since an operator's shell may be in that directory too.
      return (
        readlinkSync(`/proc/${pid}/cwd`) === clusterDir && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
      );
    } catch {
      // Exited, a zombie, or another user's: not ours in any case.
      return false;
    }
  }
  if (process.platform === 'win32') return isAlive(pid);
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  return stdout.includes(clusterDir);
}
