import { isId } from '@steward/contract/api/fields';
import { UNDO_DAYS } from '@steward/contract/api/limits';
import type { finishImport, Import, startImport, undoImport } from '@steward/contract/directory';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { type ImportKey, removeChangesBatch } from './import-changes.store.ts';
import {
  addImport,
  beginUndo,
  endImport,
  findImport,
  findOldImports,
  type ImportRow,
  lockImport,
  removeImport,
} from './imports.store.ts';
import { undo } from './undo-import.job.ts';

const DAY_MS = 86_400_000;
/** Number of stored changes that one transaction removes. */
const BATCH = 5_000;
const UNDOABLE = new Set(['finished', 'cancelled', 'interrupted']);

export function toImport(row: ImportRow): Import {
  const { first_id: _, last_id: __, removed, restored, kept, undone_by, undone_at, is_recent, ...rest } = row;
  const undone = row.state === 'undoing' || row.state === 'undone';
  return {
    ...rest,
    undo_until: canUndo(row) ? row.started_at + UNDO_DAYS * DAY_MS : 0,
    undo: undone ? { removed, restored, kept, ended_at: undone_at } : null,
  };
}

function canUndo(row: ImportRow): boolean {
  return UNDOABLE.has(row.state) && row.is_recent && row.created + row.changed > 0;
}

export async function requireImport(db: Database | Trx, place: ImportKey): Promise<ImportRow> {
  const found = isId(place.importId) ? await findImport(db, place) : undefined;
  return found ?? refuse('record.not_found');
}

/** Locks and returns a running import of the caller. */
export async function requireRunningImport(trx: Trx, place: ImportKey, actorId: string): Promise<ImportRow> {
  const found = isId(place.importId) ? await lockImport(trx, place) : undefined;
  if (!found || found.started_by !== actorId) refuse('record.not_found');
  if (found.state !== 'running') refuse('directory.import_ended');
  return found;
}

/** An import has one audit event, regardless of the number of chunks. */
export function importAudit(
  { teamId, importId }: ImportKey,
  {
    actorId,
    ...row
  }: { actorId: string } & Pick<ImportRow, 'state' | 'file_name' | 'created' | 'changed' | 'unchanged' | 'failed'>,
): AuditEvent {
  const { state, file_name, created, changed, unchanged, failed } = row;
  const details = { state, file_name, created, changed, unchanged, failed };
  return { action: 'directory.imported', teamId, actorId, target: importId, details };
}

/** Starts an import. Its audit event is added when it ends. */
export async function openImport(
  trx: Trx,
  start: { teamId: string; actorId: string; fileName: string },
): Promise<Changed<typeof startImport>> {
  const place = await addImport(trx, start);
  return { answer: toImport(await requireImport(trx, place)), audit: null };
}

export async function completeImport(
  trx: Trx,
  place: ImportKey,
  end: { actorId: string; cancelled: boolean; unreadable: number },
): Promise<Changed<typeof finishImport>> {
  await requireRunningImport(trx, place, end.actorId);
  await endImport(trx, place, { state: end.cancelled ? 'cancelled' : 'finished', unreadable: end.unreadable });
  const row = await requireImport(trx, place);
  return { answer: toImport(row), audit: importAudit(place, { ...row, actorId: end.actorId }) };
}

export async function startUndo(
  trx: Trx,
  deps: Deps,
  place: ImportKey & { actorId: string },
): Promise<Changed<typeof undoImport>> {
  const { teamId, importId, actorId } = place;
  const found = isId(importId) ? await lockImport(trx, place) : undefined;
  if (!found) refuse('record.not_found');
  if (!canUndo(found)) refuse('directory.import_cannot_be_undone', toRefusal(found));
  await beginUndo(trx, place, actorId);
  await deps.jobs.send(trx, undo, { team_id: teamId, import_id: importId });
  const audit: AuditEvent = { action: 'directory.import_undo_asked', teamId, actorId, target: importId };
  return { answer: toImport(await requireImport(trx, place)), audit };
}

function toRefusal({ state, is_recent }: ImportRow): string {
  if (state === 'running') return 'This import still runs.';
  if (state === 'undoing' || state === 'undone') return 'This import was undone already.';
  return is_recent ? 'This import changed nothing.' : `An import can be undone for ${UNDO_DAYS} days.`;
}

export async function removeOldImports(db: Database): Promise<void> {
  for (const place of await findOldImports(db)) {
    while (!(await removeChangesBatch(db, place, BATCH)));
    await removeImport(db, place);
  }
}
