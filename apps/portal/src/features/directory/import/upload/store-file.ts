import type { Import } from '@steward/contract/directory';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { withRetry } from '#platform/api/with-retry.ts';
import { prefetchItems } from '#platform/csv/prefetch-items.ts';
import { createErrorCsv, type DirectoryFile } from '../file/directory.csv.ts';
import { sendBatch } from './upload-batches.ts';
import type { UploadCalls } from './upload-calls.ts';

/** Rows processed so far, by outcome. */
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
  /** The finished import; undefined if the server couldn't be reached to finish it. */
  imported: Import | undefined;
  /** Null without errors. */
  errorCsv: Blob | null;
  /** Why it ended early, unless the user canceled it. */
  fault: unknown;
}

interface Storing {
  file: DirectoryFile;
  fileName: string;
  /** Number of rows in the preview. */
  total: number;
  calls: UploadCalls;
  /** Ends the upload after the current call. */
  signal: AbortSignal;
  onProgress: (tally: Tally) => void;
  /** A call failed after its retries: asks whether to repeat it. */
  onCallFailed: (failure: unknown) => Promise<'retry' | 'stop'>;
}

export const NO_ROWS: Tally = { rows: 0, created: 0, changed: 0, unchanged: 0, failed: 0 };

const OTHER_FILE = 'The file has changed since the preview. Please choose it again.';
const NEVER = new AbortController().signal;

/**
 * Sends the rows of the file, batch by batch, as one import. Each call has its own idempotency key, so that a call whose
 * response was lost can be repeated without storing anything twice.
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
    // Whatever the reason: missing rows must never count as success.
    if (!end.wasStopped && !signal.aborted && tally.rows !== total) end.fault = new Error(OTHER_FILE);
  } catch (thrown) {
    // Not a failed call: the file could no longer be read, or reading was aborted.
    if (!signal.aborted) end.fault = thrown;
  }
  if (tally.failed > 0) end.errorCsv = errorCsv.finish();
  return end;
}

/** Repeats a call until it succeeds; undefined once the user stops. */
async function retryUntilStopped<Result>({ signal, onCallFailed }: Storing, attempt: () => Promise<Result>) {
  for (;;) {
    try {
      return await withRetry(attempt, signal);
    } catch (thrown) {
      if (signal.aborted || (await onCallFailed(thrown)) === 'stop') return undefined;
    }
  }
}
