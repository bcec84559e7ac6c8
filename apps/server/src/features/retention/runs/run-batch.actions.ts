import { isDeepStrictEqual } from 'node:util';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import { commitAsynchronously, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Cursor, LeftoverItem, MarkedItem, RetentionScope } from '#workspace/content/expiry.ts';
import { holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { listActiveHolds } from '#workspace/content/holds/held.store.ts';
import type { ItemPlace } from '#workspace/content/items.store.ts';
import { computeCutoff } from '#workspace/content/retention/cutoff.rules.ts';
import { getKeptSince } from '#workspace/content/retention/retention-scope.rules.ts';
import { lockRule } from '#workspace/content/retention/team-rules.store.ts';
import {
  type ArchivePatience,
  ArchiveUnavailable,
  archiveBatch,
  beginObjects,
  type NextObject,
} from '../archive/archive-batch.actions.ts';
import { openArchiveKey, sealArchiveKey } from '../archive/archive-key.ts';
import { newArchiveKey } from '../archive/archive-object.ts';
import { type BlobTarget, RETENTION_TARGETS, type RowTarget } from '../rules/retention-targets.ts';
import { type ClaimedKind, type ClaimedRun, countBatch, type LockedRun, lockRun, setArchiveKey } from './runs.store.ts';

/** Tests use shorter timeouts for the blob store. */
export type BatchDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'secrets'> & { archivePatience?: ArchivePatience };

export interface RunEnd {
  state: 'finished' | 'stopped' | 'refused' | 'failed';
  note: string;
}

/** `lost` means that another worker has taken over the run. */
type BatchResult = 'more' | 'lost' | RunEnd;

const FINISHED: RunEnd = { state: 'finished', note: '' };
const UNREADABLE: RunEnd = { state: 'stopped', note: "The rule can't be read, so nothing more was deleted." };
const KEPT: RunEnd = {
  state: 'stopped',
  note: 'The rule was changed to keep everything, so nothing more was deleted.',
};
const CHANGED: RunEnd = { state: 'stopped', note: 'The rule was changed. The next run uses the new rule.' };

const UNARCHIVED: RunEnd = {
  state: 'failed',
  note: "The archive of what is deleted couldn't be written, so nothing more was deleted. The next run tries again.",
};

/** Items in a batch, and how long one may take in milliseconds, because others wait for its locks. */
const ROWS = { min: 1_000, max: 10_000, targetMs: 60 };
/** Only the items themselves are locked while they are archived. */
const ARCHIVED = { min: 1_000, max: 4_000, targetMs: 80 };
const BLOBS = { min: 20, max: 1_000, targetMs: 500 };
const CONCURRENCY = 10;

/** Returns a function that processes the next batch of a claimed run and adapts the batch size to the time it takes. */
export function createBatchRunner(deps: BatchDeps, claim: ClaimedRun & ClaimedKind): () => Promise<BatchResult> {
  const target = RETENTION_TARGETS[claim.kind];
  const sizes = claim.isRecoverable ? ARCHIVED : 'deleteExpired' in target ? ROWS : BLOBS;
  let limit = sizes.min;
  const archive = createArchiver(deps, claim, target.place);
  return async () => {
    const startedAt = performance.now();
    const result = claim.isRecoverable
      ? await archive(limit)
      : 'deleteExpired' in target
        ? await deleteRows(deps, claim, { target, limit })
        : await deleteWithBlobs(deps, claim, { target, limit });
    const took = performance.now() - startedAt;
    if (took < sizes.targetMs / 2) limit = Math.min(limit * 2, sizes.max);
    if (took > sizes.targetMs) limit = Math.max(Math.floor(limit / 2), sizes.min);
    return result;
  };
}

/** Kept between the batches of a recoverable run. */
interface OpenArchive {
  key: Buffer;
  scope: RetentionScope;
  after: Cursor;
  object: NextObject;
}

/** A batch is undone if the run or its rule has changed since the batch began. */
class Superseded extends Error {
  readonly result: BatchResult;

  constructor(result: BatchResult) {
    super('the run or its rule has changed');
    this.result = result;
  }
}

/** Deletes only items that are in the archive. */
function createArchiver(deps: BatchDeps, claim: ClaimedRun, place: ItemPlace): (limit: number) => Promise<BatchResult> {
  const { teamId, runId } = claim;
  let archive: OpenArchive | undefined;
  return async (limit) => {
    try {
      archive ??= await openArchive(deps, claim);
      const { key, scope } = archive;
      const batch = { teamId, runId, place, limit, ...archive };
      archive = undefined;
      const { last, next } = await archiveBatch(deps, batch, async (trx, { count, bytes, held, last: reached }) => {
        await confirmScope(trx, claim, scope);
        await countBatch(trx, claim, {
          scanned: count,
          deleted: count,
          bytes,
          failed: 0,
          held,
          at: reached ?? atEnd(scope),
          cutoff: scope.cutoff,
        });
      });
      if (last === null) return FINISHED;
      archive = { key, scope, after: last, object: next };
      return 'more';
    } catch (error) {
      if (error instanceof Superseded) return error.result;
      if (error instanceof ArchiveUnavailable) return UNARCHIVED;
      throw error;
    }
  };
}

function openArchive(deps: BatchDeps, claim: ClaimedRun): Promise<OpenArchive> {
  return inTransaction(deps.db, async (trx) => {
    const found = await lockScope(trx, claim);
    if (found === 'lost' || 'state' in found) throw new Superseded(found);
    const { run, scope } = found;
    const key = await getArchiveKey(trx, deps, { claim, run });
    return { key, scope, after: getCursor(run), object: await beginObjects(trx, claim) };
  });
}

/** Locks the run and its rule, and checks that they still allow what was deleted. */
async function confirmScope(trx: Trx, claim: ClaimedRun, { keptSince: _, ...used }: RetentionScope): Promise<void> {
  const found = await lockScope(trx, claim);
  if (found === 'lost' || 'state' in found) throw new Superseded(found);
  // Only `keptSince` may move forward: items kept by an earlier value stay kept.
  const { keptSince: __, ...current } = found.scope;
  if (!isDeepStrictEqual(used, current)) throw new Superseded('more');
}

/** The encrypted key is stored in the run. The first batch creates it. */
async function getArchiveKey(
  trx: Trx,
  { secrets }: BatchDeps,
  { claim, run }: { claim: ClaimedRun; run: LockedRun },
): Promise<Buffer> {
  if (run.archive_key !== null) return openArchiveKey(secrets, run.archive_key);
  const key = newArchiveKey();
  await setArchiveKey(trx, claim, sealArchiveKey(secrets, key));
  return key;
}

/** The run and what it may delete now. The rule is read for each batch and locked until the transaction ends. */
async function lockScope(
  trx: Trx,
  claim: ClaimedRun,
): Promise<{ run: LockedRun; scope: RetentionScope } | 'lost' | RunEnd> {
  const run = await lockRun(trx, claim);
  if (!run) return 'lost';
  const locked = await lockRule(trx, claim.teamId, run.kind);
  const current = locked?.state.current ?? null;
  const removal = getRemoval(current);
  if (!locked || current === null) return UNREADABLE;
  if (removal === null) return KEPT;
  if (removal.clock !== run.clock) return CHANGED;
  const cutoff = computeCutoff(removal.duration, run.started_at, locked.timeZone);
  if (cutoff === null) return UNREADABLE;
  const keptSince = getKeptSince(locked.now, locked.savedAt);
  // A longer rule saved during the run applies immediately; a shorter one waits for the next run.
  const { holds } = locked;
  const scope = { teamId: claim.teamId, clock: run.clock, cutoff: Math.min(cutoff, run.cutoff), keptSince, holds };
  return { run, scope };
}

function deleteRows(
  deps: BatchDeps,
  claim: ClaimedRun,
  { target, limit }: { target: RowTarget; limit: number },
): Promise<BatchResult> {
  return inTransaction(deps.db, async (trx) => {
    const locked = await lockScope(trx, claim);
    if (locked === 'lost' || 'state' in locked) return locked;
    const { run, scope } = locked;
    // After a crash, rows and counters roll back together; only the end of the run waits for the disk.
    await commitAsynchronously(trx);
    const { count, bytes, held, last } = await target.deleteExpired(trx, scope, { after: getCursor(run), limit });
    const counts = { scanned: count, deleted: count, bytes, failed: 0, held };
    await countBatch(trx, claim, { ...counts, at: last ?? atEnd(scope), cutoff: scope.cutoff });
    return last === null ? FINISHED : 'more';
  });
}

async function deleteWithBlobs(
  deps: BatchDeps,
  claim: ClaimedRun,
  { target, limit }: { target: BlobTarget; limit: number },
): Promise<BatchResult> {
  const locked = await inTransaction(deps.db, async (trx) => {
    const found = await lockScope(trx, claim);
    if (found === 'lost' || 'state' in found) return found;
    return { ...found, marked: await target.markExpired(trx, found.scope, { after: getCursor(found.run), limit }) };
  });
  if (locked === 'lost' || 'state' in locked) return locked;
  const { marked, scope } = locked;
  const { items, held, last } = marked;
  const reached = { held, at: last ?? atEnd(scope), cutoff: scope.cutoff };
  const isCounted = await purgeMarked(deps, claim, { target, marked: items, reached });
  if (!isCounted) return 'lost';
  return last === null ? FINISHED : 'more';
}

/** This position prevents double counting if a run is interrupted before it ends. */
function atEnd({ cutoff }: RetentionScope): Cursor {
  return { clock: cutoff, id: '' };
}

interface Reached {
  held: number;
  at: Cursor;
  cutoff: number;
}

/**
 * Deletes the blobs of marked items, then their rows. An item whose blob couldn't be deleted is unmarked, counted as failed
 * and retried by the next run. False when another worker has taken over the run.
 */
async function purgeMarked(
  deps: BatchDeps,
  claim: ClaimedRun,
  { target, marked, reached }: { target: BlobTarget; marked: readonly MarkedItem[]; reached: Reached | null },
): Promise<boolean> {
  const failed = await deleteBlobs(deps, claim, marked);
  const deleted = marked.filter(({ id }) => !failed.has(id));
  return inTransaction(deps.db, async (trx) => {
    const run = await lockRun(trx, claim);
    if (!run) return false;
    const ids = deleted.map(({ id }) => id);
    await target.purge(trx, claim.teamId, ids);
    await target.unmark(trx, claim.teamId, [...failed]);
    await countBatch(trx, claim, {
      scanned: marked.length,
      deleted: deleted.length,
      bytes: deleted.reduce((sum, { size }) => sum + size, 0),
      failed: failed.size,
      ...(reached ?? { held: 0, at: null, cutoff: run.cutoff }),
    });
    return true;
  });
}

/** Deletes blobs concurrently; returns the items whose blob is still there. */
async function deleteBlobs(deps: BatchDeps, claim: ClaimedRun, items: readonly MarkedItem[]): Promise<Set<string>> {
  const failed = new Set<string>();
  const queue = items.filter(({ blob }) => blob !== null);
  const work = async () => {
    for (let item = queue.pop(); item; item = queue.pop()) {
      try {
        await deps.blobs.remove(item.blob ?? '');
      } catch (error) {
        failed.add(item.id);
        deps.log.warn({ err: error, run: claim.runId, item: item.id }, 'a blob could not be deleted');
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return failed;
}

/**
 * Deletes items left marked by an interruption or a changed rule, because their blobs may be deleted already. Items that a
 * hold now covers are unmarked if their blobs still exist.
 */
export async function purgeLeftoverMarked(deps: BatchDeps, claim: ClaimedRun & { kind: RetentionKind }): Promise<void> {
  const target = RETENTION_TARGETS[claim.kind];
  if ('deleteExpired' in target) return;
  const { teamId, kind } = claim;
  for (let isMore = true; isMore; ) {
    const holds = holdsOn(kind, await listActiveHolds(deps.db, teamId));
    const leftover = await target.listMarked(deps.db, { teamId, holds }, BLOBS.max);
    if (leftover.length === 0) return;
    const kept = await findWhole(deps, leftover);
    const marked = leftover.filter(({ id }) => !kept.includes(id));
    isMore = await inTransaction(deps.db, async (trx) => {
      if (!(await lockRun(trx, claim))) return false;
      await target.unmark(trx, teamId, kept);
      return true;
    });
    if (isMore && marked.length > 0) isMore = await purgeMarked(deps, claim, { target, marked, reached: null });
  }
}

/** Held items that are complete: without a blob, or with an existing blob. */
async function findWhole({ blobs }: BatchDeps, leftover: readonly LeftoverItem[]): Promise<string[]> {
  const whole: string[] = [];
  for (const { id, blob, is_held } of leftover) {
    if (!is_held) continue;
    const content = blob === null ? null : await blobs.get(blob);
    if (content === undefined) continue;
    content?.destroy();
    whole.push(id);
  }
  return whole;
}

function getCursor({ at_clock, at_id }: LockedRun) {
  return { clock: at_clock, id: at_id };
}
