import type { RetentionKind } from '@steward/contract/retention/fields';
import { commitAsynchronously, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { MarkedItem, Reach } from '#workspace/content/expiry.ts';
import { computeCutoff, toRemoval } from '../rules/retention.rules.ts';
import { lockPolicy } from '../rules/rules.store.ts';
import { type BlobTarget, RETENTION_TARGETS, type RowTarget } from './retention-targets.ts';
import { type ClaimedRun, countBatch, type LockedRun, lockRun } from './runs.store.ts';

type BatchDeps = Pick<Deps, 'db' | 'blobs' | 'log'>;

/** How a run ends. */
export interface RunEnd {
  state: 'finished' | 'stopped' | 'refused' | 'failed';
  note: string;
}

/** What a batch found: more to do, the end, or that another has taken the run over. */
type BatchResult = 'more' | 'lost' | RunEnd;

const FINISHED: RunEnd = { state: 'finished', note: '' };
const stopped = (note: string): RunEnd => ({ state: 'stopped', note });

/** Sizes of a batch, and how long one shall take, in milliseconds: others wait for its locks no longer. */
const ROWS = { least: 1_000, most: 10_000, targetMs: 60 };
const BLOBS = { least: 20, most: 1_000, targetMs: 500 };
/** Blobs deleted at a time. */
const AT_ONCE = 10;

/** Does one batch after another of a run that the caller holds; each is as large as the time for one allows. */
export function createBatchRunner(
  deps: BatchDeps,
  held: ClaimedRun & { kind: RetentionKind },
): () => Promise<BatchResult> {
  const shelf = RETENTION_TARGETS[held.kind];
  const sizes = 'remove' in shelf ? ROWS : BLOBS;
  let limit = sizes.least;
  return async () => {
    const began = performance.now();
    const result =
      'remove' in shelf
        ? await removeRows(deps, held, { shelf, limit })
        : await removeWithBlobs(deps, held, { shelf, limit });
    const took = performance.now() - began;
    if (took < sizes.targetMs / 2) limit = Math.min(limit * 2, sizes.most);
    if (took > sizes.targetMs) limit = Math.max(Math.floor(limit / 2), sizes.least);
    return result;
  };
}

/** The run and what it may remove at this moment: the rule is held until the transaction ends, and read anew for each batch. */
async function begin(trx: Trx, held: ClaimedRun): Promise<{ run: LockedRun; reach: Reach } | 'lost' | RunEnd> {
  const run = await lockRun(trx, held);
  if (!run) return 'lost';
  const found = await lockPolicy(trx, held.teamId, run.kind);
  const ruling = found?.policy.ruling ?? null;
  const removal = toRemoval(ruling);
  if (!found || ruling === null) return stopped('The rule cannot be read, so nothing more was deleted.');
  if (removal === null) return stopped('The rule was changed to keep everything, so nothing more was deleted.');
  if (removal.clock !== run.clock) return stopped('The rule was changed; the next run goes by the new one.');
  const cutoff = computeCutoff(removal.duration, run.started_at, found.timeZone);
  if (cutoff === null) return stopped('The rule cannot be read, so nothing more was deleted.');
  // A longer rule saved meanwhile keeps more at once; a shorter one is for the next run.
  return { run, reach: { teamId: held.teamId, clock: run.clock, cutoff: Math.min(cutoff, run.cutoff) } };
}

function removeRows(
  deps: BatchDeps,
  held: ClaimedRun,
  { shelf, limit }: { shelf: RowTarget; limit: number },
): Promise<BatchResult> {
  return inTransaction(deps.db, async (trx) => {
    const begun = await begin(trx, held);
    if (begun === 'lost' || 'state' in begun) return begun;
    const { run, reach } = begun;
    // Rows and counters come back together if a crash takes them; the end of the run waits for the disk.
    await commitAsynchronously(trx);
    const { count, bytes, last } = await shelf.remove(trx, reach, { after: placeOf(run), limit });
    const done = { scanned: count, deleted: count, bytes, failed: 0, at: last, cutoff: reach.cutoff };
    await countBatch(trx, held, done);
    return last === null ? FINISHED : 'more';
  });
}

async function removeWithBlobs(
  deps: BatchDeps,
  held: ClaimedRun,
  { shelf, limit }: { shelf: BlobTarget; limit: number },
): Promise<BatchResult> {
  const begun = await inTransaction(deps.db, async (trx) => {
    const found = await begin(trx, held);
    if (found === 'lost' || 'state' in found) return found;
    return { ...found, doomed: await shelf.markForDeletion(trx, found.reach, { after: placeOf(found.run), limit }) };
  });
  if (begun === 'lost' || 'state' in begun) return begun;
  const { doomed, reach } = begun;
  const isCounted = await purgeMarked(deps, held, { shelf, doomed, cutoff: reach.cutoff });
  if (!isCounted) return 'lost';
  return doomed.length < limit ? FINISHED : 'more';
}

/**
 * Deletes the blobs of doomed items, then their rows; an item whose blob could not be deleted is shown again and counted, and
 * the next run tries it once more. False when another has taken the run over.
 */
async function purgeMarked(
  deps: BatchDeps,
  held: ClaimedRun,
  { shelf, doomed, cutoff }: { shelf: BlobTarget; doomed: readonly MarkedItem[]; cutoff: number | null },
): Promise<boolean> {
  if (doomed.length === 0) return true;
  const kept = await deleteBlobs(deps, held, doomed);
  const gone = doomed.filter(({ id }) => !kept.has(id));
  return inTransaction(deps.db, async (trx) => {
    const run = await lockRun(trx, held);
    if (!run) return false;
    const ids = gone.map(({ id }) => id);
    await shelf.removeMarked(trx, held.teamId, ids);
    await shelf.spare(trx, held.teamId, [...kept]);
    await countBatch(trx, held, {
      scanned: doomed.length,
      deleted: gone.length,
      bytes: gone.reduce((sum, { size }) => sum + size, 0),
      failed: kept.size,
      at: cutoff === null ? null : (doomed.at(-1) ?? null),
      cutoff: cutoff ?? run.cutoff,
    });
    return true;
  });
}

/** Deletes blobs, a few at a time; answers the items whose blob is still there. */
async function deleteBlobs(deps: BatchDeps, held: ClaimedRun, doomed: readonly MarkedItem[]): Promise<Set<string>> {
  const kept = new Set<string>();
  const queue = doomed.filter(({ blob }) => blob !== null);
  const work = async () => {
    for (let item = queue.pop(); item; item = queue.pop()) {
      try {
        await deps.blobs.remove(item.blob ?? '');
      } catch (error) {
        kept.add(item.id);
        deps.log.warn({ err: error, run: held.runId, item: item.id }, 'a blob could not be deleted');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return kept;
}

/** Finishes items that were doomed when the run was interrupted, or its rule changed: their blobs may be gone already. */
export async function purgeLeftoverMarked(deps: BatchDeps, held: ClaimedRun & { kind: RetentionKind }): Promise<void> {
  const shelf = RETENTION_TARGETS[held.kind];
  if ('remove' in shelf) return;
  for (let isMore = true; isMore; ) {
    const doomed = await shelf.listMarked(deps.db, held.teamId, BLOBS.most);
    isMore = doomed.length > 0 && (await purgeMarked(deps, held, { shelf, doomed, cutoff: null }));
  }
}

function placeOf({ at_clock, at_id }: LockedRun) {
  return { clock: at_clock, id: at_id };
}
