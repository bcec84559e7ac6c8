import type { Import } from '@steward/contract/directory';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { withRetry } from '#platform/api/with-retry.ts';
import { prefetchItems } from '#platform/tables/prefetch-items.ts';
import { createErrorCsv, type DirectoryFile } from '../file/directory.csv.ts';
import { sendBatch } from './upload-batches.ts';
import type { UploadCalls } from './upload-calls.ts';

/** Rows so far, and what became of them. */
export interface Tally {
  rows: number;
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
}

/** How an upload ended. */
export interface UploadSummary {
  tally: Tally;
  cancelled: boolean;
  /** The import as the server has it now; nothing when the server could not be told that it ended. */
  imported: Import | undefined;
  /** Null when nothing was wrong. */
  errorCsv: Blob | null;
  /** Why it ended before the end of the file, other than by the person's wish. */
  fault: unknown;
}

interface Storing {
  file: DirectoryFile;
  fileName: string;
  /** Rows that the preview has counted. */
  total: number;
  calls: UploadCalls;
  /** Ends the upload after the call that is under way. */
  signal: AbortSignal;
  onProgress: (tally: Tally) => void;
  /** A call failed for good: asks whether to make it once more. */
  onCallFailed: (failure: unknown) => Promise<'retry' | 'stop'>;
}

export const NO_ROWS: Tally = { rows: 0, created: 0, changed: 0, unchanged: 0, failed: 0 };

const OTHER_FILE = 'The file is not what it was in the preview. Please choose it again.';
const NEVER = new AbortController().signal;

/**
 * Sends the rows of the file, batch by batch, as one import. Each call has a key of its own, so that one whose answer
 * was lost can be made again: it stores nothing twice.
 */
export async function storeFile(storing: Storing): Promise<UploadSummary> {
  const { fileName, calls, signal } = storing;
  const tally: Tally = { ...NO_ROWS };
  const key = createIdempotencyKeys()(fileName);
  const started = await retryUntilStopped(storing, () => calls.start(fileName, key));
  if (started === undefined) return { tally, cancelled: true, imported: undefined, errorCsv: null, fault: undefined };

  const { wasStopped, unreadable, errorCsv, fault } = await storeRows(storing, started.id, tally);
  const cancelled = wasStopped || signal.aborted || fault !== undefined;
  const finish = () => calls.finish(started.id, { cancelled, unreadable });
  const imported = cancelled
    ? await withRetry(finish, NEVER).catch(() => undefined)
    : await retryUntilStopped({ ...storing, signal: NEVER }, finish);
  return { tally, cancelled, imported, errorCsv, fault };
}

async function storeRows(storing: Storing, importId: string, tally: Tally) {
  const { file, total, calls, signal, onProgress } = storing;
  const errorCsv = createErrorCsv(file.missing);
  const end = { wasStopped: false, unreadable: 0, errorCsv: null as Blob | null, fault: undefined as unknown };
  let callNumber = 0;
  try {
    for await (const { rows } of prefetchItems(file.batches(signal))) {
      const batch = await sendBatch(rows, {
        send: (sent) => {
          const key = `${importId}-${callNumber++}`;
          return retryUntilStopped(storing, () => calls.store(sent, { importId, key }));
        },
        onAnswer: ({ created, changed, unchanged }) => {
          tally.created += created;
          tally.changed += changed;
          tally.unchanged += unchanged;
        },
      });
      errorCsv.add(batch.wrong);
      tally.rows += batch.done;
      tally.failed += batch.wrong.length;
      end.unreadable += batch.unreadable;
      onProgress({ ...tally });
      end.wasStopped = batch.done < rows.length;
      if (end.wasStopped || signal.aborted) break;
    }
    // Whatever the reason: rows that were promised and did not come must never pass for success.
    if (!end.wasStopped && !signal.aborted && tally.rows !== total) end.fault = new Error(OTHER_FILE);
  } catch (thrown) {
    // Calls do not end up here: the file could not be read any more, or reading it was ended.
    if (!signal.aborted) end.fault = thrown;
  }
  if (tally.failed > 0) end.errorCsv = errorCsv.finish();
  return end;
}

/** The answer, however often it takes; nothing once the person does not want to go on. */
async function retryUntilStopped<Result>({ signal, onCallFailed }: Storing, attempt: () => Promise<Result>) {
  for (;;) {
    try {
      return await withRetry(attempt, signal);
    } catch (thrown) {
      if (signal.aborted || (await onCallFailed(thrown)) === 'stop') return undefined;
    }
  }
}
