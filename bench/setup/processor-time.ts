import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads how long processes have used a processor so far, in milliseconds. */
export type ReadProcessorTime = () => number;

/** Of a process with all its threads; 0 once it has ended. */
export function ofProcess(pid: number): ReadProcessorTime {
  return () => {
    const threads = tryRead(() => readdirSync(`/proc/${pid}/task`)) ?? [];
    return threads.reduce((sum, thread) => sum + readThread(pid, thread), 0);
  };
}

/**
 * Of the embedded PostgreSQL: its postmaster and all processes that it has started and that still run, so connections have to stay
 * open between two readings.
 */
export function ofPostgres(dataDir: string): ReadProcessorTime {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return () => [postmaster, ...findChildren(postmaster)].reduce((sum, pid) => sum + ofProcess(pid)(), 0);
}

/** Of this process, which is the client. */
export const ofClient: ReadProcessorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Whether the system tells what its processes use. */
export const canReadProcessorTime = tryRead(() => readFileSync('/proc/self/schedstat')) !== undefined;

function readThread(pid: number, thread: string): number {
  const text = tryRead(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return text === undefined ? 0 : Number(text.split(' ')[0]) / 1e6;
}

function findChildren(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    // The name before the state may contain anything, parentheses too.
    const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return stat !== undefined && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
  });
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
