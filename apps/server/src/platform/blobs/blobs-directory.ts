import { once } from 'node:events';
import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { FSDriver } from 'flydrive/drivers/fs';
import type { BlobStore } from './blobs.ts';

/** Only the server's user can read the files. */
export function createDirectoryBlobs(location: string): BlobStore {
  const driver = new FSDriver({ location, visibility: 'private' });
  const makePrivate = async () => {
    const first = await mkdir(location, { recursive: true, mode: 0o700 });
    // mkdir's mode is limited by the umask. An existing directory keeps its mode.
    if (first !== undefined) await chmod(location, 0o700);
  };
  return {
    async put(key, content) {
      // On every write, because the driver would recreate a missing directory as readable for all users.
      await makePrivate();
      await driver.put(key, content);
      await keep(join(location, key));
    },
    async putStream(key, content) {
      await makePrivate();
      await driver.putStream(key, Readable.from(content));
      await keep(join(location, key));
    },
    async get(key) {
      const stream = await driver.getStream(key);
      return (await isThere(stream)) ? stream : undefined;
    },
    remove: (key) => driver.delete(key),
    // The driver would copy and then delete.
    async move(from, to) {
      const target = join(location, to);
      await mkdir(dirname(target), { recursive: true });
      try {
        await rename(join(location, from), target);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    removeAll: (prefix) => driver.deleteAll(prefix),
  };
}

/** Flushes the file to disk, because the row that references it is committed next. */
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
