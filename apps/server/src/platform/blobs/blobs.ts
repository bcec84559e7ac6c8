import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '#platform/database/ids.ts';
import { createDirectoryBlobs } from './blobs-directory.ts';
import { createBucketBlobs } from './blobs-s3.ts';
import { parseFilesUrl } from './files-url.ts';

/** Contents of files and recordings, kept beside the database. Keys are made by `newBlobKey`, never by a caller. */
export interface Blobs {
  /** Ends when the blob is safe; one that was under the key is replaced. */
  put(key: string, content: Uint8Array): Promise<void>;
  /** Undefined when there is no such blob. */
  get(key: string): Promise<Readable | undefined>;
  /** Bears a blob that is not there; throws when one is and could not be deleted. */
  remove(key: string): Promise<void>;
}

const KEY = /^[a-z0-9]{26}\/[a-z_]{1,40}\/[a-z0-9]{2}\/[a-z0-9]{26}$/;

/** Key for one more blob of a team: `<team>/<kind>/<two characters>/<id>`, so that no directory grows without bound. */
export function newBlobKey(teamId: string, kind: string): string {
  const id = newId();
  return checked(`${teamId}/${kind}/${id.slice(-2)}/${id}`);
}

/** Where blobs are kept: FILES_URL, or `files` in the data directory without one. Nothing is opened or written yet. */
export function createBlobs(filesUrl: string | undefined, dataDir: string): Blobs {
  const place = filesUrl === undefined ? undefined : parseFilesUrl(filesUrl);
  const store =
    place?.kind === 'bucket'
      ? createBucketBlobs(place)
      : createDirectoryBlobs(place?.location ?? join(dataDir, 'files'));
  return {
    put: async (key, content) => store.put(checked(key), content),
    get: async (key) => store.get(checked(key)),
    remove: async (key) => store.remove(checked(key)),
  };
}

/** Always the same, so that starts leave one empty directory behind and not a thousand. */
const TRY_DIRECTORY = `${'0'.repeat(26)}/try/00`;

/** Writes a blob and removes it again, so that a place where none can be kept is known before the first one is lost. */
export async function checkBlobs(blobs: Blobs): Promise<void> {
  // One of its own: nodes that start together must not remove each other's.
  const key = `${TRY_DIRECTORY}/${newId()}`;
  try {
    await blobs.put(key, new Uint8Array([0]));
    await blobs.remove(key);
  } catch (error) {
    const { name, message } = error as Error;
    const reason = name === 'Error' ? message : `${name}: ${message}`;
    // Without its cause: what failed below would be taken for a failure of the database.
    throw new Error(`No file can be kept where FILES_URL (or DATA_DIR) says: ${reason.replace(/\s+/g, ' ')}`);
  }
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new Error(`not the key of a blob: ${JSON.stringify(key)}`);
  return key;
}
