import type { Answer } from '@steward/contract/api/endpoint';
import { UPLOAD_BODY_MAX } from '@steward/contract/api/limits';
import {
  type Entry,
  finishImport,
  type Import,
  ROW_FIELDS,
  startImport,
  type UploadRow,
  uploadEntries,
} from '@steward/contract/directory';
import { call } from '#platform/api/api.ts';
import type { PreviewAnswer, Texts, UploadCalls, UploadKind } from '#platform/upload/session/upload-kind.ts';
import { createErrorCsv, openDirectoryFile } from '../file/directory.csv.ts';

/** Uploads of directory entries. */
export function directoryUploads(teamId: string): UploadKind<UploadRow, Import> {
  return { calls: uploadCalls(teamId), open: openDirectoryFile, createErrorCsv, toTexts, bodyMax: UPLOAD_BODY_MAX };
}

function toTexts(fields: UploadRow | Entry): Texts {
  return Object.fromEntries(ROW_FIELDS.map((name) => [name, fields[name]]));
}

function uploadCalls(teamId: string): UploadCalls<UploadRow, Import> {
  const params = { teamId };
  return {
    preview: async (rows, signal) => {
      const query = { preview: '1' } as const;
      return toPreview(await call(uploadEntries, { params, query, body: rows }, { signal }), rows);
    },
    start: (file_name, idempotencyKey) => call(startImport, { params, body: { file_name } }, { idempotencyKey }),
    store: (rows, { importId, key }) =>
      call(uploadEntries, { params, query: { import_id: importId }, body: rows }, { idempotencyKey: key }),
    finish: (importId, body) =>
      call(finishImport, { params: { teamId, importId }, body }, { idempotencyKey: `${importId}-finish` }),
  };
}

function toPreview({ preview, ...answer }: Answer<typeof uploadEntries>, rows: readonly UploadRow[]): PreviewAnswer {
  const { outcomes = [], before = [], ...facts } = preview ?? {};
  const entries = new Map(before.map((entry) => [entry.id, entry]));
  const stored = rows.flatMap(({ id }, at) => {
    const entry = entries.get(id.trim());
    return entry === undefined ? [] : [[at, toTexts(entry)] as const];
  });
  return { ...answer, outcomes, before: new Map(stored), facts };
}
