import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { addZipEntry, getContentPath, writeExportFile } from '#workspace/content/export-file.actions.ts';
import {
  DATASETS,
  type Dataset,
  type ExportScope,
  findKnownEmail,
  listFormerAndCurrentTeams,
} from './export-rows.store.ts';

/** Writes an export of a user's data. */
export const writeExport = defineJob({
  name: 'privacy.export',
  payload: z.object({ team_id: z.string(), export_id: z.string() }),
  retries: 5,
  retrySeconds: 10,
  retryMaxSeconds: 600,
  expireSeconds: 4 * 3_600,
});

export function createExportWorker(deps: Deps) {
  return defineWorker(writeExport, async ({ team_id: teamId, export_id: exportId }, { isLast }) => {
    await writeExportFile(deps, { teamId, exportId, isLast }, async ({ subjectId: userId }) =>
      createArchive(deps, await getScope(deps, { teamId, userId })),
    );
  });
}

async function getScope(deps: Deps, { teamId, userId }: { teamId: string; userId: string }): Promise<ExportScope> {
  const isOwn = teamId === '';
  const teamIds = isOwn ? await listFormerAndCurrentTeams(deps.db, userId) : [teamId];
  return {
    userId,
    teamIds,
    isOwn,
    email: await findKnownEmail(deps.db, userId, teamId),
    limits: sessionLimits(deps.env),
  };
}

interface Sources {
  db: Database;
  blobs: Blobs;
}

type Row = Record<string, unknown>;
type Named = { id: unknown; name: unknown };

/**
 * The ZIP file is a stream: no part of it is in memory after it was read. Each part of the data is written
 * as JSON and as CSV; the contents of files and recordings follow.
 */
function createArchive(sources: Sources, scope: ExportScope): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  addAll(zip, sources, scope).catch((error: Error) => output.destroy(error));
  return output;
}

async function addAll(zip: ZipFile, sources: Sources, scope: ExportScope): Promise<void> {
  const counts: Record<string, number> = {};
  for (const dataset of DATASETS) {
    const counted = { rows: 0 };
    await addZipEntry(
      zip,
      `${dataset.name}.json`,
      Readable.from(toJson(readRows(sources.db, dataset, scope), counted)),
    );
    await addZipEntry(zip, `${dataset.name}.csv`, Readable.from(toCsv(dataset, readRows(sources.db, dataset, scope))));
    counts[dataset.name] = counted.rows;
  }
  for (const dataset of DATASETS.filter(({ columns }) => columns.includes('content')))
    for await (const { blob, content } of readRows(sources.db, dataset, scope)) {
      const stream = typeof blob === 'string' ? await sources.blobs.get(blob) : undefined;
      if (stream) await addZipEntry(zip, String(content), stream);
    }
  const about = { created_at: new Date().toISOString(), person_id: scope.userId, teams: scope.teamIds, counts };
  zip.addBuffer(Buffer.from(JSON.stringify(about, null, 2)), 'export.json');
  zip.end();
}

async function* readRows(db: Database, dataset: Dataset, scope: ExportScope): AsyncIterable<Row> {
  for await (const page of dataset.read(db, scope))
    for (const row of page)
      yield 'blob' in row
        ? { ...row, content: row.blob === null ? '' : getContentPath(dataset.name, row as Named) }
        : row;
}

async function* toJson(rows: AsyncIterable<Row>, counted: { rows: number }): AsyncIterable<string> {
  for await (const { blob: _, ...row } of rows) {
    yield `${counted.rows === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`;
    counted.rows += 1;
  }
  yield counted.rows === 0 ? '[]\n' : '\n]\n';
}

async function* toCsv({ columns }: Dataset, rows: AsyncIterable<Row>): AsyncIterable<string> {
  yield `\uFEFF${toCsvLine(columns)}`;
  for await (const row of rows) yield toCsvLine(columns.map((column) => row[column]));
}

// Spreadsheets read such a cell as a formula. The portal's files have the same guard.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORMULA = /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u0000-\u001F\u007F-\u009F]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file (RFC 4180); lists and objects are written as JSON. */
function toCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
