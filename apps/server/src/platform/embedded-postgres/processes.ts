import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The pid in the cluster's postmaster.pid, whatever it stands for now; undefined without such a file. */
export function readPid(clusterDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The pid of the cluster's living postmaster. A recorded pid that is another program by now does not count. */
export function findRunningPostmaster(clusterDir: string): number | undefined {
  const pid = readPid(clusterDir);
  return pid !== undefined && isRunningIn(pid, clusterDir) ? pid : undefined;
}

/** Whether a process with this pid exists, no matter whose; one that ended and was not buried yet does not count. */
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
    // Behind the name in parentheses stands the state.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false;
  } catch {
    return false;
  }
}

/** All PostgreSQL processes of the cluster, orphaned ones included; Linux only, elsewhere an empty list. */
export function listProcesses(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isRunningIn(pid, clusterDir));
}

/** Those of them that are not a postmaster: a backend shows what it does in place of its command line. */
export function listBackends(clusterDir: string): number[] {
  return listProcesses(clusterDir).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ');
    } catch {
      return false;
    }
  });
}

/** Whether the pid is a living process of the cluster: each of them has the cluster's directory as its working directory. */
export function isRunningIn(pid: number, clusterDir: string): boolean {
  if (process.platform === 'linux') {
    try {
      // The name as well: an operator's shell may stand in the directory too.
      return (
        readlinkSync(`/proc/${pid}/cwd`) === clusterDir && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
      );
    } catch {
      // Gone, a zombie, or another user's: in no case ours.
      return false;
    }
  }
  if (process.platform === 'win32') return isAlive(pid);
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  return stdout.includes(clusterDir);
}
