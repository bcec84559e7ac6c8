import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '#platform/database/ids.ts';
import { createDirectoryBlobs } from './blobs-directory.ts';
import { createBucketBlobs } from './blobs-s3.ts';
import { parseFilesUrl } from './files-url.ts';

/** Contents of files and recordings. Only `newBlobKey` creates keys. */
export interface Blobs {
  /** Stores a blob durably, replacing an existing one. */
  put(key: string, content: Uint8Array): Promise<void>;
  /** Undefined if the blob doesn't exist. */
  get(key: string): Promise<Readable | undefined>;
  /** Deletes a blob; does nothing if it doesn't exist. */
  remove(key: string): Promise<void>;
  /** Stores a blob where `get` doesn't find it until it is published. */
  stage(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Moves a staged blob to its place, replacing an existing one; false if it wasn't staged. */
  publish(key: string): Promise<boolean>;
  /** Deletes all staged blobs, also those of an earlier process. */
  dropStaged(): Promise<void>;
}

/** The paths were checked. */
export interface BlobStore extends Pick<Blobs, 'put' | 'get' | 'remove'> {
  putStream(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** False if there is nothing to move. */
  move(from: string, to: string): Promise<boolean>;
  removeAll(prefix: string): Promise<void>;
}

/** No key starts like this. */
const STAGED = 'restoring/';

const KEY = /^[a-z0-9]{26}\/[a-z_]{1,40}\/[a-z0-9]{2}\/[a-z0-9]{26}$/;

/** A new key: `<team>/<kind>/<two characters>/<id>`, so that no directory gets too large. */
export function newBlobKey(teamId: string, kind: string): string {
  const id = newId();
  return checked(`${teamId}/${kind}/${id.slice(-2)}/${id}`);
}

/** Blobs at FILES_URL, by default in `files` of the data directory. Opens nothing yet. */
export function createBlobs(filesUrl: string | undefined, dataDir: string): Blobs {
  const place = filesUrl === undefined ? undefined : parseFilesUrl(filesUrl);
  const store: BlobStore =
    place?.kind === 'bucket'
      ? createBucketBlobs(place)
      : createDirectoryBlobs(place?.location ?? join(dataDir, 'files'));
  return {
    put: async (key, content) => store.put(checked(key), content),
    get: async (key) => store.get(checked(key)),
    remove: async (key) => store.remove(checked(key)),
    stage: async (key, content) => store.putStream(STAGED + checked(key), content),
    publish: async (key) => store.move(STAGED + checked(key), key),
    dropStaged: () => store.removeAll(STAGED),
  };
}

/** A fixed directory, so that repeated starts leave only one empty directory. */
const CHECK_DIRECTORY = `${'0'.repeat(26)}/try/00`;

/** Writes and deletes a blob, so that unusable storage is detected at startup. */
export async function checkBlobs(blobs: Blobs): Promise<void> {
  // A new key each time, because nodes that start together must not delete each other's blob.
  const key = `${CHECK_DIRECTORY}/${newId()}`;
  try {
    await blobs.put(key, new Uint8Array([0]));
    await blobs.remove(key);
  } catch (error) {
    const { name, message } = error as Error;
    const reason = name === 'Error' ? message : `${name}: ${message}`;
    // Without `cause`, which would be reported as a database error.
    throw new Error(`Can't store files at FILES_URL (or in DATA_DIR): ${reason.replace(/\s+/g, ' ')}`);
  }
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new Error(`invalid blob key: ${JSON.stringify(key)}`);
  return key;
}
