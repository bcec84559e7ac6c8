import { createHash, type Hash } from 'node:crypto';
import type { Blobs } from '@steward/server/src/platform/blobs/blobs.ts';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { trackUnreferencedBlobs } from '@steward/server/src/workspace/content/unreferenced-blobs.store.ts';
import type { Session } from './backup.store.ts';
import { addStaged, beginStaging, readStaged } from './restore.store.ts';

/** Number of keys per statement. */
const BATCH = 500;
/** Number of blobs that are published at the same time. */
const AT_ONCE = 16;

/** Blobs of a restore, which stay staged until the whole archive was read. */
export interface StagedRestore {
  /** Returns the hash of the content. */
  add(key: string, content: AsyncIterable<Buffer>): Promise<string>;
  /** Moves all of them to their places. They are tracked as unreferenced until the rows are committed. */
  publish(db: Database): Promise<void>;
}

/** Drops blobs that an interrupted restore left staged. */
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
      const stored = await blobs.get(key);
      const storedHash = stored && (await digest(stored));
      const hash = createHash('sha256');
      await blobs.stage(key, hashed(content, hash));
      const newHash = hash.digest('hex');
      // An existing blob may belong to another workspace with the same file store: it is neither replaced nor deleted.
      if (newHash !== storedHash) noted.push(key);
      if (noted.length >= BATCH) await note();
      return newHash;
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
