import type { Answer } from '@steward/contract/api/endpoint';
import { finishImport, type Import, startImport, type UploadRow, uploadEntries } from '@steward/contract/directory';
import { call } from '#platform/api/api.ts';

type UploadResponse = Answer<typeof uploadEntries>;

/** The calls that an upload makes; a test gives others. */
export interface UploadCalls {
  preview: (rows: UploadRow[], signal: AbortSignal) => Promise<UploadResponse>;
  start: (fileName: string, key: string) => Promise<Import>;
  /** The same key stores the same rows once, however often they are sent. */
  store: (rows: UploadRow[], to: { importId: string; key: string }) => Promise<UploadResponse>;
  finish: (importId: string, how: { cancelled: boolean; unreadable: number }) => Promise<Import>;
}

export function uploadCalls(teamId: string): UploadCalls {
  const params = { teamId };
  return {
    preview: (rows, signal) => call(uploadEntries, { params, query: { preview: '1' }, body: rows }, { signal }),
    start: (file_name, idempotencyKey) => call(startImport, { params, body: { file_name } }, { idempotencyKey }),
    store: (rows, { importId, key }) =>
      call(uploadEntries, { params, query: { import_id: importId }, body: rows }, { idempotencyKey: key }),
    finish: (importId, body) =>
      call(finishImport, { params: { teamId, importId }, body }, { idempotencyKey: `${importId}-finish` }),
  };
}
