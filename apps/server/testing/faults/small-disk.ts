import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = ReturnType<typeof mountSmallDisk>;

export function mountSmallDisk(mebibytes: number) {
  const root = mkdtempSync(join(tmpdir(), 'steward-disk-'));
  chmodSync(root, 0o711);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0711`, 'tmpfs', root], { stdio: 'pipe' });
  const path = join(root, 'place');
  mkdirSync(path);
  chmodSync(path, 0o711);
  const ballast = join(root, 'ballast');
  return {
    /** A directory that every account may traverse. */
    path,
    /** Fills the disk except for this many bytes. */
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(root);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leave)), { flag: 'a' });
    },
    clear: () => rmSync(ballast, { force: true }),
    setReadOnly: (on: boolean) =>
      void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, root], { stdio: 'pipe' }),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', root], { stdio: 'pipe' });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The skip reason of a test if this machine can't mount a disk; otherwise false. */
export function getDiskSkipReason(): string | false {
  try {
    mountSmallDisk(1)[Symbol.dispose]();
    return false;
  } catch (error) {
    return `needs the right to mount a tmpfs: ${(error as Error).message.split('\n').at(-1)?.trim()}`;
  }
}
