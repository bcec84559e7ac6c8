import type { CsvCall, CsvRequest, CsvResponse } from './csv-calls.ts';
import { CsvError } from './csv-error.ts';
import type { CsvBatch, CsvShape } from './csv-shape.ts';
import type { CsvFacts, CsvFile } from './reader/csv-reader.ts';

/**
 * Opens a file in a worker of its own, so that no file, however large or broken, keeps the page from answering. Whoever
 * opens it closes it. Throws CsvError.
 */
export async function openCsvFile(file: File, shape: CsvShape, signal: AbortSignal): Promise<CsvFile> {
  const worker = new Worker(new URL('./reader/csv-worker.ts', import.meta.url), { type: 'module' });
  const closed = new AbortController();
  const ask = createRequester(worker, shape.trouble);
  const close = () => {
    closed.abort();
    worker.terminate();
  };
  let passes = 0;

  async function* batches(wish: AbortSignal): AsyncGenerator<CsvBatch> {
    passes += 1;
    const pass = passes;
    const ending = AbortSignal.any([wish, closed.signal]);
    for (;;) {
      const batch = await ask<CsvBatch | undefined>({ pass }, ending);
      if (batch === undefined) return;
      yield batch;
    }
  }

  try {
    return { ...(await ask<CsvFacts>({ file, shape }, signal)), batches, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** Calls to the worker and their answers, of which nobody else may hear when the call was given up. */
function createRequester(worker: Worker, trouble: string) {
  let calls = 0;
  return <Value>(ask: CsvRequest, signal: AbortSignal): Promise<Value> => {
    calls += 1;
    const call: CsvCall = { ...ask, call: calls };
    const settled = new AbortController();
    const answer = new Promise<Value>((resolve, reject) => {
      signal.throwIfAborted();
      const hear = { signal: settled.signal };
      signal.addEventListener('abort', () => reject(signal.reason), hear);
      // The worker itself could not be loaded, or has broken down.
      for (const event of ['error', 'messageerror']) {
        worker.addEventListener(event, () => reject(new CsvError(trouble)), hear);
      }
      const take = ({ data }: MessageEvent<CsvResponse>) => {
        if (data.call !== call.call) return;
        if ('fault' in data) reject(new CsvError(data.fault.message || trouble, data.fault.hint));
        else resolve(data.value as Value);
      };
      worker.addEventListener('message', take, hear);
      worker.postMessage(call);
    });
    return answer.finally(() => settled.abort());
  };
}
