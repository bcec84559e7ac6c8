import { createHash, type Hash } from 'node:crypto';
import type { Blobs } from '@steward/server/src/platform/blobs/blobs.ts';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { trackUnreferencedBlobs } from '@steward/server/src/workspace/content/unreferenced-blobs.store.ts';
import type { Session } from './backup.store.ts';
import { addStaged, beginStaging, readStaged } from './restore.store.ts';

/** Keys are noted, and blobs published, so many at once. */
const BATCH = 500;
/** So many blobs are published at the same time. */
const AT_ONCE = 16;

/** Blobs of a restore, staged until all of the archive was read. */
export interface StagedRestore {
  /** Returns the hash of the content. */
  add(key: string, content: AsyncIterable<Buffer>): Promise<string>;
  /** Brings all of them to their places. Until the rows commit, the database has them as unreferenced, so that a server deletes them. */
  publish(db: Database): Promise<void>;
}

/** Begins to stage blobs; what an interrupted restore left is dropped. */
export async function stageBlobs(session: Session, blobs: Blobs): Promise<StagedRestore> {
  await blobs.dropStaged();
  await beginStaging(session);
  let noted: string[] = [];
  const note = async () => {
    await addStaged(session, noted);
    noted = [];
  };
  return {
    async add(key, content) {
      const there = await blobs.get(key);
      const hashThere = there && (await digest(there));
      const hash = createHash('sha256');
      await blobs.stage(key, hashed(content, hash));
      const hashHere = hash.digest('hex');
      // What is there already may belong to another workspace at the same place: it is neither replaced nor removed.
      if (hashHere !== hashThere) noted.push(key);
      if (noted.length >= BATCH) await note();
      return hashHere;
    },
    async publish(db) {
      await note();
      const keys: string[] = [];
      for await (const key of readStaged(session)) {
        keys.push(key);
        if (keys.length >= BATCH) await publishAll(db, blobs, keys.splice(0));
      }
      if (keys.length > 0) await publishAll(db, blobs, keys);
    },
  };
}

async function publishAll(db: Database, blobs: Blobs, keys: readonly string[]): Promise<void> {
  const teams = Map.groupBy(keys, (key) => key.split('/')[0] ?? '');
  await inTransaction(db, async (trx) => {
    for (const [teamId, some] of teams) await trackUnreferencedBlobs(trx, teamId, some);
  });
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const found = await Promise.all(keys.slice(from, from + AT_ONCE).map((key) => blobs.publish(key)));
    if (found.includes(false)) throw new Error('another restore has dropped the files of this one');
  }
}

async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

async function digest(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}
