import { setImmediate as breath } from 'node:timers/promises';
import type { Answer } from '@steward/contract/api/endpoint';
import type { IfExists } from '@steward/contract/api/fields';
import type { FailedRow, uploadEntries } from '@steward/contract/directory';
import type { EmailEndings } from '@steward/contract/directory/fields';
import type { Trx } from '#platform/database/database.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findEntries } from './directory.store.ts';
import { lockMatching, storeRows } from './entries.store.ts';
import { importAudit, requireRunningImport } from './imports.actions.ts';
import { addImport, type ChunkCounts, countChunk, endImport, removeImport } from './imports.store.ts';
import { type PreviewedRow, previewRows } from './resolve-rows.store.ts';
import {
  failedRow,
  REPEATED_MATCH,
  SHORTENED_NUMBER,
  UNKNOWN_ID,
  type ValidatedRows,
  validateRows,
} from './upload-rows.rules.ts';

type Told = Answer<typeof uploadEntries>;

export interface Upload {
  teamId: string;
  actorId: string;
  rows: readonly unknown[];
  ifExists: IfExists | undefined;
  endings: EmailEndings;
}

/** Number of rows after which the check yields to the event loop. */
const SLICE = 500;
/** Maximum changed entries for which a preview shows the stored values. */
const BEFORE_MAX = 100;

async function sorted({ rows, endings }: Pick<Upload, 'rows' | 'endings'>): Promise<ValidatedRows> {
  const all: ValidatedRows = { good: [], failed: [] };
  const checks = { endings, seen: new Set<string>() };
  for (let from = 0; from < rows.length; from += SLICE) {
    const { good, failed } = validateRows(rows.slice(from, from + SLICE), from, checks);
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
  const { answer, counts } = await store(trx, place, upload);
  await countChunk(trx, place, counts);
  return { answer, audit: null };
}

/** The rows are an import of their own, unless nothing changed. */
export async function uploadInOneCall(trx: Trx, upload: Upload): Promise<Changed<typeof uploadEntries>> {
  const { teamId, actorId } = upload;
  const place = await addImport(trx, { teamId, actorId, fileName: '' });
  const { answer, counts } = await store(trx, place, upload);
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
  { rows, ifExists, endings }: Upload,
): Promise<{ answer: Told; counts: ChunkCounts }> {
  const { good, failed } = await sorted({ rows, endings });
  if (ifExists !== undefined) await lockMatching(trx, place.teamId);
  const { created, changed, first_id, last_id, ...wrong } = await storeRows(trx, place, { rows: good, ifExists });
  const errors = inOrder(rows, failed, wrong);
  const unchanged = rows.length - created - changed - errors.length;
  const answer: Told = { status_code: 200, created, changed, unchanged, errors };
  return { answer, counts: { created, changed, unchanged, failed: errors.length, first_id, last_id } };
}

/** Errors that only the database finds. */
const REASONS = { unknown: UNKNOWN_ID, shortened: SHORTENED_NUMBER, repeated: REPEATED_MATCH };

/** Errors are in the order of the request, whether the schema or the database found them. */
function inOrder(
  rows: readonly unknown[],
  failed: readonly FailedRow[],
  wrong: Record<keyof typeof REASONS, readonly number[]>,
): FailedRow[] {
  const found = Object.entries(REASONS).flatMap(([reason, error]) =>
    wrong[reason as keyof typeof REASONS].map((at) => failedRow(rows[at], at, error)),
  );
  return [...failed, ...found].sort((a, b) => a.row - b.row);
}

/** Predicts the effect of each row, and writes nothing. */
export async function previewUpload(trx: Trx, { teamId, rows, ifExists, endings }: Upload): Promise<Told> {
  const { good, failed } = await sorted({ rows, endings });
  const foreseen = await previewRows(trx, teamId, { rows: good, ifExists });
  const outcomes: NonNullable<Told['preview']>['outcomes'] = rows.map(() => 'failed');
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const wrong = { unknown: [] as number[], shortened: [] as number[], repeated: [] as number[] };
  for (const { at, outcome } of foreseen) {
    if (outcome === 'unknown' || outcome === 'shortened' || outcome === 'repeated') {
      wrong[outcome].push(at);
      continue;
    }
    counts[outcome] += 1;
    outcomes[at] = outcome;
  }
  const preview = {
    outcomes,
    before: await findBefore(trx, teamId, foreseen),
    matches: foreseen.filter(({ is_match }) => is_match).length,
    twins: foreseen.filter(({ is_twin }) => is_twin).length,
    kept_numbers: foreseen.reduce((sum, { kept_numbers }) => sum + kept_numbers, 0),
    kept_names: foreseen.filter(({ kept_name }) => kept_name).length,
  };
  return { status_code: 200, ...counts, errors: inOrder(rows, failed, wrong), preview };
}

/** The first entries that would change. */
async function findBefore(
  trx: Trx,
  teamId: string,
  foreseen: readonly PreviewedRow[],
): Promise<NonNullable<Told['preview']>['before']> {
  const changed = foreseen.filter(({ outcome }) => outcome === 'changed').slice(0, BEFORE_MAX);
  const ids = changed.map(({ id }) => id);
  const entries = new Map((await findEntries(trx, teamId, ids)).map((entry) => [entry.id, entry]));
  return changed.flatMap(({ id, at }) => {
    const entry = entries.get(id);
    return entry === undefined ? [] : [{ ...entry, row: at }];
  });
}
