import { setTimeout as pause } from 'node:timers/promises';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { planBatch, type TakenRow, takeRows } from '#workspace/content/archive.store.ts';
import type { Cursor, RetentionScope } from '#workspace/content/expiry.ts';
import type { ItemPlace } from '#workspace/content/items.store.ts';
import { trackUnreferencedBlobs, untrackBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { type ObjectPlace, writeObject } from './archive-object.ts';
import { addArchivedObject, nextObjectNumber } from './archives.store.ts';

type ArchiveDeps = Pick<Deps, 'db' | 'blobs' | 'log'> & { archivePatience?: ArchivePatience };

/** Approximate maximum bytes of messages in an object. A restore holds this much in memory. */
const OBJECT_BYTES = 4 * 1024 * 1024;
const ATTEMPTS = 3;

/** Limit for a call of the blob store, in milliseconds. */
export interface ArchivePatience {
  /** One attempt to write an object. The items of the batch are locked until it ends. */
  attemptMs: number;
  /** Between two attempts. */
  pauseMs: number;
}

/** All attempts end within 30 seconds. */
const PATIENCE: ArchivePatience = { attemptMs: 8_000, pauseMs: 2_000 };

/** The archive couldn't be written: nothing of the batch was deleted. */
export class ArchiveUnavailable extends Error {}

/** One attempt to write an object failed. */
class UnwrittenObject extends Error {}

/** The blob of an object is tracked before it is written, so that a blob without an entry is found and removed. */
export interface NextObject {
  number: number;
  blob: string;
}

export interface ArchiveBatch {
  teamId: string;
  runId: string;
  key: Buffer;
  place: ItemPlace;
  scope: RetentionScope;
  after: Cursor;
  limit: number;
  object: NextObject;
}

export interface ArchivedBatch {
  count: number;
  bytes: number;
  held: number;
  /** Null when nothing is left. */
  last: Cursor | null;
  next: NextObject;
}

/** Runs in the caller's transaction. */
export async function beginObjects(
  trx: Trx,
  { teamId, runId }: Pick<ArchiveBatch, 'teamId' | 'runId'>,
): Promise<NextObject> {
  const number = await nextObjectNumber(trx, { teamId, runId });
  return trackObject(trx, teamId, number);
}

async function trackObject(trx: Trx, teamId: string, number: number): Promise<NextObject> {
  const blob = newBlobKey(teamId, 'retention_archive');
  await trackUnreferencedBlobs(trx, teamId, [blob]);
  return { number, blob };
}

/**
 * Deletes the next items and archives them in one transaction, which commits only after the object is stored durably: after an
 * earlier failure, nothing is deleted. `confirm` runs at the end of the transaction, after the object is written. It locks and
 * counts the rows that the batch depends on, and throws if the batch is no longer allowed.
 */
export async function archiveBatch(
  deps: ArchiveDeps,
  batch: ArchiveBatch,
  confirm: (trx: Trx, done: Omit<ArchivedBatch, 'next'>) => Promise<void>,
): Promise<ArchivedBatch> {
  let { object } = batch;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(deps.db, (trx) => takeBatch(trx, deps, { batch: { ...batch, object }, confirm }));
    } catch (error) {
      if (!(error instanceof UnwrittenObject)) throw error;
      deps.log.warn({ err: error.cause, attempt }, 'an archive object could not be written');
      if (attempt === ATTEMPTS)
        throw new ArchiveUnavailable('the archive could not be written', { cause: error.cause });
      await pause((deps.archivePatience ?? PATIENCE).pauseMs);
      // Each attempt has its own blob: a late write of an earlier attempt must not replace a blob that a row refers to.
      object = await inTransaction(deps.db, (trx) => trackObject(trx, batch.teamId, object.number));
    }
  }
}

async function takeBatch(
  trx: Trx,
  deps: ArchiveDeps,
  { batch, confirm }: { batch: ArchiveBatch; confirm: (trx: Trx, done: Omit<ArchivedBatch, 'next'>) => Promise<void> },
): Promise<ArchivedBatch> {
  const { teamId, runId, key, place, scope, after, limit, object } = batch;
  const items = { place, scope };
  const { rows, held, last } = await planBatch(trx, items, { after, limit, bytes: OBJECT_BYTES });
  const taken = rows > held ? await takeRows(trx, items, { after, last }) : [];
  const written = await writeRows(key, { teamId, runId, number: object.number }, { table: place.table, taken });
  if (written !== undefined) await putInTime(deps, object.blob, written.content);
  const itemBytes = taken.reduce((sum, { size }) => sum + size, 0);
  const done = { count: taken.length, bytes: itemBytes, held, last };
  await confirm(trx, done);
  if (written === undefined) return { ...done, next: object };
  const { content, sha256 } = written;
  const blobs = taken.flatMap(({ blob }) => blob ?? []);
  const entry = { ...object, sha256, bytes: content.length, items: taken.length, itemBytes, blobs };
  await addArchivedObject(trx, { teamId, runId }, entry);
  await untrackBlobs(trx, [object.blob]);
  return { ...done, next: await trackObject(trx, teamId, object.number + 1) };
}

/** Returns undefined if there are no rows. */
async function writeRows(
  key: Buffer,
  place: ObjectPlace,
  { table, taken }: { table: string; taken: readonly TakenRow[] },
) {
  const lines = taken.map(({ line }) => line);
  const [first] = lines;
  if (first === undefined) return undefined;
  return writeObject(key, place, { table, columns: Object.keys(JSON.parse(first) as object), lines });
}

async function putInTime({ blobs, archivePatience }: ArchiveDeps, blob: string, content: Buffer): Promise<void> {
  const late = AbortSignal.timeout((archivePatience ?? PATIENCE).attemptMs);
  try {
    await Promise.race([
      blobs.put(blob, content),
      new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true })),
    ]);
  } catch (error) {
    throw new UnwrittenObject('the object could not be written', { cause: error });
  }
}
