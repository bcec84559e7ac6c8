import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { restoreRows } from '#workspace/content/archive.store.ts';
import { ensureRestoreHold, holdRestoredItems } from '#workspace/content/holds/holds.store.ts';
import { trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { ArchiveFault } from '../archive/archive-object.ts';
import { type ArchivedObject, listArchivedObjects, takeArchivedObject } from '../archive/archives.store.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { countRestored, endRestore, type RunKey } from '../runs/runs.store.ts';
import { openKey, readArchivedRows } from './read-archive.actions.ts';
import { lockRecoverableRun } from './restores.store.ts';

/** After a crash, a restore continues with the remaining objects. */
export const restoreJob = defineJob({
  name: 'retention.restore',
  payload: z.object({ team_id: z.string(), run_id: z.string() }),
  retries: 20,
  retrySeconds: 10,
  retryMaxSeconds: 600,
  expireSeconds: 4 * 3_600,
});

const PAGE = 100;

/** The whole archive is verified before the first row is written. */
export function createRestoreWorker(deps: Deps) {
  return defineWorker(restoreJob, async ({ team_id: teamId, run_id: runId }, { isLast }) => {
    const run = { teamId, runId };
    try {
      await restore(deps, run);
    } catch (error) {
      if (error instanceof ArchiveFault) return end(deps, run, { state: 'failed', note: error.message });
      if (isLast) await end(deps, run, { state: 'failed', note: 'Something went wrong on our side. Try again later.' });
      throw error;
    }
  });
}

async function restore(deps: Deps, run: RunKey): Promise<void> {
  const archive = await begin(deps, run);
  if (archive === undefined) return;
  const whole = { ...run, key: archive.key };
  // An earlier attempt didn't change the objects that it verified.
  if (!archive.isVerified) for await (const object of listAll(deps, run)) await readArchivedRows(deps, whole, object);
  for await (const object of listAll(deps, run)) await restoreObject(deps, whole, object);
  await end(deps, run, { state: 'finished', note: '' });
}

/** Returns undefined if the restore has ended. */
async function begin(deps: Deps, key: RunKey): Promise<{ key: Buffer; isVerified: boolean } | undefined> {
  return inTransaction(deps.db, async (trx) => {
    const run = await lockRecoverableRun(trx, key);
    if (run?.restore_state !== 'running' || run.archive_key === null) return undefined;
    return { key: openKey(deps, run.archive_key), isVerified: run.restored + run.skipped > 0 };
  });
}

async function* listAll({ db }: Deps, key: RunKey): AsyncIterable<ArchivedObject> {
  for (let after = 0; ; ) {
    const page = await listArchivedObjects(db, key, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.number ?? 0;
  }
}

/** Restores the rows of an object, places a hold on them and deletes the object's entry, in one transaction. */
async function restoreObject(deps: Deps, key: RunKey & { key: Buffer }, object: ArchivedObject): Promise<void> {
  const archived = await readArchivedRows(deps, key, object);
  const { teamId } = key;
  await inTransaction(deps.db, async (trx) => {
    const run = await lockRecoverableRun(trx, key);
    if (run?.restore_state !== 'running') return;
    const taken = await takeArchivedObject(trx, key, object.number);
    if (!taken) return;
    const { ids, skipped, freed } = await restoreRows(trx, RETENTION_TARGETS[run.kind].place, archived);
    const holdId = await ensureRestoreHold(trx, key, { id: newId(), name: `Restored ${KIND_TEXT[run.kind].many}` });
    await holdRestoredItems(trx, { teamId, id: holdId }, ids);
    await countRestored(trx, key, { restored: ids.length, skipped });
    const unused = freed.filter((blob) => taken.contents.includes(blob));
    await trackUnreferencedBlobs(trx, teamId, [taken.blob, ...unused]);
  });
}

async function end(
  deps: Deps,
  key: RunKey,
  { state, note }: { state: 'finished' | 'failed'; note: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const run = await lockRecoverableRun(trx, key);
    if (run?.restore_state !== 'running') return;
    const { kind, restored, skipped } = run;
    const left = restored + skipped === 0 ? ' Nothing was restored.' : ' What was restored before stays.';
    const reason = note === '' ? '' : note + left;
    await endRestore(trx, key, { state, note: reason });
    const details = { kind, state, restored, skipped, note: reason };
    const event = {
      action: 'retention.restored',
      teamId: key.teamId,
      actorId: null,
      target: key.runId,
      details,
    } as const;
    await addAuditEvent(trx, deps, { ...event, origin: JOB_ORIGIN });
  });
}
