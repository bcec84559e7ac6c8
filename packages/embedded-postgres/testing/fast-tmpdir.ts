import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { findInaccessibleDir, isRoot, unprivilegedUser } from '../src/user.ts';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * The directory for test clusters: in memory if there is room and this user may write there (a database is cloned in
 * 15 ms instead of 250 ms on a slow disk), otherwise the system's directory for temporary files.
 */
export function fastTmpdir(): string {
  if (process.platform !== 'linux') return tmpdir();
  // PostgreSQL would then run from a copy of its binaries in that directory, and containers forbid programs in memory.
  if (isRoot() && findInaccessibleDir(import.meta.dirname, unprivilegedUser(undefined)) !== undefined) return tmpdir();
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
