import { once } from 'node:events';
import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Blobs } from './blobs.ts';

/** Blobs as plain files, for this server's own account only. */
export function createDirectoryBlobs(location: string): Blobs {
  const driver = new FSDriver({ location, visibility: 'private' });
  const makePrivate = async () => {
    const first = await mkdir(location, { recursive: true, mode: 0o700 });
    // mkdir's mode is cut by the umask. A directory that was there already keeps the mode that somebody gave it.
    if (first !== undefined) await chmod(location, 0o700);
  };
  return {
    async put(key, content) {
      // Each time: a directory that vanished would be made again by the driver, for everybody to read.
      await makePrivate();
      await driver.put(key, content);
      await keep(join(location, key));
    },
    async get(key) {
      const stream = await driver.getStream(key);
      return (await isThere(stream)) ? stream : undefined;
    },
    remove: (key) => driver.delete(key),
  };
}

/** The row that names a blob is written next, and must not outlive it when the power goes. */
async function keep(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.chmod(0o600);
  await file.sync();
}

async function isThere(stream: Readable): Promise<boolean> {
  try {
    await once(stream, 'open');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
