import type { EncodingName } from './csv-encodings.ts';
import { type CsvBatch, CsvError, type CsvSchema } from './csv-schema.ts';
import type { CsvFacts, CsvFile } from './reader/csv-reader.ts';

/** Opens a file, or requests the next rows of a pass. A new pass begins at the start. */
export type CsvRequest = { file: File; schema: CsvSchema; encoding: EncodingName | undefined } | { pass: number };

export type CsvCall = CsvRequest & { call: number };

/** Contains the file's format, rows, nothing at the end of a pass, or the reason why the file can't be read. */
export type CsvResponse = { call: number } & (
  | { value: CsvFacts | CsvBatch | undefined }
  | { error: { message: string; hint: string | undefined } }
);

export interface OpenOptions {
  signal: AbortSignal;
  /** The encoding that the user has chosen. Without it, the encoding is detected. */
  encoding?: EncodingName | undefined;
}

/**
 * Opens a file in its own worker, so that the page stays responsive however large or broken the file is. The caller
 * closes it. Throws CsvError.
 */
export async function openCsvFile(file: File, schema: CsvSchema, { signal, encoding }: OpenOptions): Promise<CsvFile> {
  const worker = new Worker(new URL('./reader/csv-worker.ts', import.meta.url), { type: 'module' });
  const closed = new AbortController();
  const request = createRequester(worker, schema.errorMessage);
  const close = () => {
    closed.abort();
    worker.terminate();
  };
  let passes = 0;

  async function* batches(stop: AbortSignal): AsyncGenerator<CsvBatch> {
    passes += 1;
    const pass = passes;
    const signals = AbortSignal.any([stop, closed.signal]);
    for (;;) {
      const batch = await request<CsvBatch | undefined>({ pass }, signals);
      if (batch === undefined) return;
      yield batch;
    }
  }

  try {
    return { ...(await request<CsvFacts>({ file, schema, encoding }, signal)), batches, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** Matches the worker's responses to requests; the response to an aborted request is dropped. */
function createRequester(worker: Worker, errorMessage: string) {
  let calls = 0;
  return <Value>(request: CsvRequest, signal: AbortSignal): Promise<Value> => {
    calls += 1;
    const call: CsvCall = { ...request, call: calls };
    const settled = new AbortController();
    const response = new Promise<Value>((resolve, reject) => {
      signal.throwIfAborted();
      const options = { signal: settled.signal };
      signal.addEventListener('abort', () => reject(signal.reason), options);
      // These events occur if the worker could not be loaded or crashed.
      for (const event of ['error', 'messageerror']) {
        worker.addEventListener(event, () => reject(new CsvError(errorMessage)), options);
      }
      const receive = ({ data }: MessageEvent<CsvResponse>) => {
        if (data.call !== call.call) return;
        if ('error' in data) reject(new CsvError(data.error.message || errorMessage, data.error.hint));
        else resolve(data.value as Value);
      };
      worker.addEventListener('message', receive, options);
      worker.postMessage(call);
    });
    return response.finally(() => settled.abort());
  };
}
