import { setImmediate as breath } from 'node:timers/promises';
import type { Answer } from '@steward/contract/api/endpoint';
import type { FailedRow, uploadEntries } from '@steward/contract/directory';
import type { Trx } from '#platform/database/database.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findEntries } from './directory.store.ts';
import { storeRows } from './entries.store.ts';
import type { UploadedRow } from './entry-fields.ts';
import { importAudit, requireRunningImport } from './imports.actions.ts';
import { addImport, type ChunkCounts, countChunk, endImport, removeImport } from './imports.store.ts';
import { previewRows } from './resolve-rows.store.ts';
import { failedRow, SHORTENED_NUMBER, UNKNOWN_ID, type ValidatedRows, validateRows } from './upload-rows.rules.ts';

type Told = Answer<typeof uploadEntries>;

export interface Upload {
  teamId: string;
  actorId: string;
  rows: readonly unknown[];
}

/** Number of rows after which the check yields to the event loop. */
const SLICE = 500;
/** Maximum changed entries for which a preview shows the stored values. */
const BEFORE_MAX = 100;

async function sorted(rows: readonly unknown[]): Promise<ValidatedRows> {
  const all: ValidatedRows = { good: [], failed: [] };
  const seen = new Set<string>();
  for (let from = 0; from < rows.length; from += SLICE) {
    const { good, failed } = validateRows(rows.slice(from, from + SLICE), from, seen);
    all.good.push(...good);
    all.failed.push(...failed);
    await breath();
  }
  return all;
}

/** Stores the rows of a chunk and adds them to the import's counts. The audit event follows when the import ends. */
export async function uploadChunk(trx: Trx, upload: Upload, importId: string): Promise<Changed<typeof uploadEntries>> {
  const place = { teamId: upload.teamId, importId };
  await requireRunningImport(trx, place, upload.actorId);
  const { answer, counts } = await store(trx, place, upload.rows);
  await countChunk(trx, place, counts);
  return { answer, audit: null };
}

/** The rows are an import of their own, unless nothing changed. */
export async function uploadInOneCall(trx: Trx, upload: Upload): Promise<Changed<typeof uploadEntries>> {
  const { teamId, actorId, rows } = upload;
  const place = await addImport(trx, { teamId, actorId, fileName: '' });
  const { answer, counts } = await store(trx, place, rows);
  if (counts.created + counts.changed === 0) {
    await removeImport(trx, place);
    return { answer, audit: null };
  }
  await countChunk(trx, place, counts);
  await endImport(trx, place, { state: 'finished', unreadable: 0 });
  return { answer, audit: importAudit(place, { actorId, state: 'finished', file_name: '', ...counts }) };
}

async function store(
  trx: Trx,
  place: { teamId: string; importId: string },
  rows: readonly unknown[],
): Promise<{ answer: Told; counts: ChunkCounts }> {
  const { good, failed } = await sorted(rows);
  const { created, changed, unknown, shortened, first_id, last_id } = await storeRows(trx, place, good);
  const unchanged = good.length - created - changed - unknown.length - shortened.length;
  const errors = inOrder(rows, failed, { unknown, shortened });
  const answer: Told = { status_code: 200, created, changed, unchanged, errors };
  return { answer, counts: { created, changed, unchanged, failed: errors.length, first_id, last_id } };
}

/** Errors are in the order of the request, whether the schema or the database found them. */
function inOrder(
  rows: readonly unknown[],
  failed: readonly FailedRow[],
  { unknown, shortened }: { unknown: readonly number[]; shortened: readonly number[] },
): FailedRow[] {
  const found = [
    ...unknown.map((at) => failedRow(rows[at], at, UNKNOWN_ID)),
    ...shortened.map((at) => failedRow(rows[at], at, SHORTENED_NUMBER)),
  ];
  return [...failed, ...found].sort((a, b) => a.row - b.row);
}

/** Predicts the effect of each row, and writes nothing. */
export async function previewUpload(trx: Trx, { teamId, rows }: Upload): Promise<Told> {
  const { good, failed } = await sorted(rows);
  const foreseen = await previewRows(trx, teamId, good);
  const outcomes: NonNullable<Told['preview']>['outcomes'] = rows.map(() => 'failed');
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const wrong = { unknown: [] as number[], shortened: [] as number[] };
  for (const { at, outcome } of foreseen) {
    if (outcome === 'unknown' || outcome === 'shortened') {
      wrong[outcome].push(at);
      continue;
    }
    counts[outcome] += 1;
    outcomes[at] = outcome;
  }
  const preview = {
    outcomes,
    before: await findEntries(trx, teamId, changedIds(good, outcomes)),
    twins: foreseen.filter(({ is_twin }) => is_twin).length,
    kept_numbers: foreseen.reduce((sum, { kept_numbers }) => sum + kept_numbers, 0),
    kept_names: foreseen.filter(({ kept_name }) => kept_name).length,
  };
  return { status_code: 200, ...counts, errors: inOrder(rows, failed, wrong), preview };
}

function changedIds(good: readonly UploadedRow[], outcomes: readonly string[]): string[] {
  const changed = good.filter(({ at }) => outcomes[at] === 'changed');
  return changed.slice(0, BEFORE_MAX).map(({ id }) => id);
}
