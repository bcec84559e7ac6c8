import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { type AuditEvent, addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { removeCreated, restoreChanged, type Undone } from './entries.store.ts';
import type { ImportKey } from './import-changes.store.ts';
import { countUndone, endUndo, findImport, type ImportRow, lockImport } from './imports.store.ts';

/** Undoes an import: deletes what it created, restores what it changed, keeps what was changed since. */
export const undo = defineJob({
  name: 'directory.undo_import',
  payload: z.object({ team_id: z.string(), import_id: z.string() }),
  retries: 10,
  retrySeconds: 5,
  retryMaxSeconds: 300,
});

/** Entries per transaction, so that others never wait long for their locks. */
const BATCH = 1_000;

/** Worker of the job. After a crash, it resumes where it was: each batch is recorded in its own transaction. */
export function createUndoWorker(deps: Deps) {
  return defineWorker(undo, async ({ team_id: teamId, import_id: importId }) => {
    const place = { teamId, importId };
    const found = await findImport(deps.db, place);
    if (found?.state !== 'undoing') return;
    if (found.first_id !== null && found.last_id !== null) await removeAll(deps, place, found);
    await repeat(deps, place, { batch: (trx) => restoreChanged(trx, place, BATCH), start: '' });
    await inTransaction(deps.db, (trx) => finish(trx, deps, place));
  });
}

async function removeAll(deps: Deps, place: ImportKey, { first_id, last_id }: ImportRow): Promise<void> {
  // The first id is included, so the range starts just before it.
  const batch = (trx: Trx, after: string) => removeCreated(trx, place, { after, until: last_id ?? '', limit: BATCH });
  await repeat(deps, place, { batch, start: (first_id ?? '').slice(0, -1) });
}

/** Runs batches until one finds nothing; each continues after the last id of the previous one. */
async function repeat(
  deps: Deps,
  place: ImportKey,
  { batch, start }: { batch: (trx: Trx, after: string) => Promise<Undone>; start: string },
): Promise<void> {
  for (let after: string | null = start; after !== null; ) {
    const reached: string = after;
    after = await inTransaction(deps.db, async (trx) => {
      const undone = await batch(trx, reached);
      await countUndone(trx, place, undone);
      return undone.last;
    });
  }
}

async function finish(trx: Trx, deps: Deps, place: ImportKey): Promise<void> {
  const row = await lockImport(trx, place);
  if (row?.state !== 'undoing') return;
  await endUndo(trx, place);
  const { removed, restored, kept } = row;
  const event: AuditEvent = {
    action: 'directory.import_undone',
    teamId: place.teamId,
    actorId: row.undone_by,
    target: place.importId,
    details: { removed, restored, kept },
  };
  await addAuditEvent(trx, deps, { ...event, origin: JOB_ORIGIN });
}
