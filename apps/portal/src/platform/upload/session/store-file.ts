import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { withRetry } from '#platform/api/with-retry.ts';
import { sendBatch } from './upload-batches.ts';
import type { UploadFile } from './upload-file.ts';
import type { AnyRow, IfExists, UploadKind } from './upload-kind.ts';

export interface Tally {
  rows: number;
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
}

export interface UploadSummary<Imported> {
  tally: Tally;
  cancelled: boolean;
  /** The finished import; undefined if the server couldn't be reached to finish it. */
  imported: Imported | undefined;
  /** Null without errors. */
  errorCsv: Blob | null;
  /** The reason why the upload ended early, unless the user canceled it. */
  fault: unknown;
}

interface Storing<Row extends AnyRow, Imported> {
  file: UploadFile<Row>;
  fileName: string;
  total: number;
  kind: UploadKind<Row, Imported>;
  ifExists: IfExists;
  /** The upload ends after the current call. */
  signal: AbortSignal;
  onProgress: (tally: Tally) => void;
  /** Asks whether to repeat a call that failed after its retries. */
  onCallFailed: (failure: unknown) => Promise<'retry' | 'stop'>;
}

export const NO_ROWS: Tally = { rows: 0, created: 0, changed: 0, unchanged: 0, failed: 0 };

const OTHER_FILE = 'The file has changed since the preview. Please choose it again.';
const NEVER = new AbortController().signal;

/**
 * Sends the rows of the file, batch by batch, as one import. Each call has its own idempotency key, so that a call whose
 * response was lost can be repeated without storing anything twice.
 */
export async function storeFile<Row extends AnyRow, Imported>(
  storing: Storing<Row, Imported>,
): Promise<UploadSummary<Imported>> {
  const { fileName, signal } = storing;
  const { calls } = storing.kind;
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

async function storeRows<Row extends AnyRow, Imported>(
  storing: Storing<Row, Imported>,
  importId: string,
  tally: Tally,
) {
  const { file, total, kind, ifExists, signal, onProgress } = storing;
  const errorCsv = kind.createErrorCsv(file.missing);
  const end = { wasStopped: false, unreadable: 0, errorCsv: null as Blob | null, fault: undefined as unknown };
  let callNumber = 0;
  try {
    for await (const { rows } of file.batches(signal)) {
      const batch = await sendBatch(rows, {
        bodyMax: kind.bodyMax,
        send: (sent) => {
          const key = `${importId}-${callNumber++}`;
          return retryUntilStopped(storing, () => kind.calls.store(sent, { importId, key, ifExists }));
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
    // Missing rows must never count as success, whatever the reason.
    if (!end.wasStopped && !signal.aborted && tally.rows !== total) end.fault = new Error(OTHER_FILE);
  } catch (thrown) {
    // This isn't a failed call: the file could no longer be read, or reading was aborted.
    if (!signal.aborted) end.fault = thrown;
  }
  if (tally.failed > 0) end.errorCsv = errorCsv.finish();
  return end;
}

/** Returns undefined once the user stops. */
async function retryUntilStopped<Result>(
  { signal, onCallFailed }: Pick<Storing<AnyRow, unknown>, 'signal' | 'onCallFailed'>,
  attempt: () => Promise<Result>,
) {
  for (;;) {
    try {
      return await withRetry(attempt, signal);
    } catch (thrown) {
      if (signal.aborted || (await onCallFailed(thrown)) === 'stop') return undefined;
    }
  }
}
