import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** How often somebody who waits looks again, in milliseconds: another process tells nobody that it is done. */
const POLL_MS = 100;

/**
 * Does some work while no other process on this machine does it: two builds at once would empty each other's folder. The file
 * names who is at it; one of a process that is gone is nobody's.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await taken(file))) await pause(POLL_MS);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
