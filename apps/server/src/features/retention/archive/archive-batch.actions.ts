import { setTimeout as pause } from 'node:timers/promises';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { type DueRows, deleteReadRows, readDueRows } from '#workspace/content/archive.store.ts';
import type { Cursor, RetentionScope } from '#workspace/content/expiry.ts';
import type { ItemPlace } from '#workspace/content/place.store.ts';
import { trackUnreferencedBlobs, untrackBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { writeObject } from './archive-object.ts';
import { addArchivedObject, nextObjectNumber } from './archives.store.ts';

type ArchiveDeps = Pick<Deps, 'db' | 'blobs' | 'log'>;

/** Bytes of items in an object, about: with the text of messages, what a batch holds in memory. */
const OBJECT_BYTES = 2 * 1024 * 1024;
/** Attempts to write an object, and the pauses before them in milliseconds. */
const ATTEMPTS = 3;
const PAUSE_MS = 2_000;
/** How long one attempt may take, so that all of them end within 30 seconds. */
const PATIENCE_MS = 8_000;

/** The archive couldn't be written: nothing of the batch was deleted. */
export class ArchiveUnavailable extends Error {}

/** A batch that is to be archived. */
export interface ArchiveBatch {
  teamId: string;
  runId: string;
  key: Buffer;
  place: ItemPlace;
  scope: RetentionScope;
  after: Cursor;
  rows: number;
}

/** What a batch did. */
export interface ArchivedBatch {
  count: number;
  bytes: number;
  held: number;
  /** Null when nothing is left. */
  last: Cursor | null;
}

/**
 * Archives the next items and then deletes them: an object is stored durably first, and only what it contains, unchanged, is
 * deleted in one transaction with its entry. `finish` runs in that transaction with the scope at that moment; what it returns
 * undefined for is not deleted.
 */
export async function archiveBatch(
  deps: ArchiveDeps,
  batch: ArchiveBatch,
  finish: {
    lockScope(trx: Trx): Promise<RetentionScope | undefined>;
    count(trx: Trx, done: ArchivedBatch): Promise<void>;
  },
): Promise<ArchivedBatch | undefined> {
  const { place, scope, after, rows } = batch;
  const due = await readDueRows(deps.db, { place, scope }, { after, rows, bytes: OBJECT_BYTES });
  const object = due.ids.length === 0 ? undefined : await storeObject(deps, batch, due);
  const done = await inTransaction(deps.db, async (trx) => {
    const current = await finish.lockScope(trx);
    if (current === undefined) return undefined;
    const deleted = await deleteAndRecord(trx, { ...batch, scope: current }, { due, object });
    const ended = { ...deleted, held: due.held, last: due.last };
    await finish.count(trx, ended);
    return ended;
  });
  return done;
}

interface StoredObject {
  number: number;
  blob: string;
  bytes: number;
  sha256: string;
}

async function deleteAndRecord(
  trx: Trx,
  { teamId, runId, place, scope }: ArchiveBatch,
  { due, object }: { due: DueRows; object: StoredObject | undefined },
): Promise<{ count: number; bytes: number }> {
  if (object === undefined) return { count: 0, bytes: 0 };
  const { count, bytes, kept, blobs } = await deleteReadRows(trx, { place, scope }, due);
  // An object of which nothing was deleted is left to the cleanup of what no row refers to.
  if (count === 0) return { count, bytes };
  const entry = { ...object, items: due.ids.length, kept_ids: kept, blobs };
  await addArchivedObject(trx, { teamId, runId }, entry);
  await untrackBlobs(trx, [object.blob]);
  return { count, bytes };
}

/** Tracked before it is written, so that an object of a batch that was killed is found and deleted. */
async function storeObject(
  deps: ArchiveDeps,
  { teamId, runId, key, place }: ArchiveBatch,
  { ids, lines }: DueRows,
): Promise<StoredObject> {
  const number = await nextObjectNumber(deps.db, { teamId, runId });
  const items = ids.length;
  const { content, sha256 } = await writeObject(key, { teamId, runId, number }, { table: place.table, items, lines });
  const blob = newBlobKey(teamId, 'retention_archive');
  await inTransaction(deps.db, (trx) => trackUnreferencedBlobs(trx, teamId, [blob]));
  await putPatiently(deps, blob, content);
  return { number, blob, bytes: content.length, sha256 };
}

async function putPatiently({ blobs, log }: ArchiveDeps, blob: string, content: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const late = AbortSignal.timeout(PATIENCE_MS);
      return await Promise.race([
        blobs.put(blob, content),
        new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true })),
      ]);
    } catch (error) {
      log.warn({ err: error, attempt }, 'an archive object could not be written');
      if (attempt === ATTEMPTS) throw new ArchiveUnavailable('the archive could not be written', { cause: error });
      await pause(PAUSE_MS);
    }
  }
}
