// Reads CSV files outside the page's thread. The page requests each batch, so nothing is read ahead.
import type { CsvCall, CsvResponse } from '../csv-file.ts';
import { type CsvBatch, CsvError } from '../csv-schema.ts';
import { type CsvFacts, type CsvFile, readCsv } from './csv-reader.ts';

/** A pass ends with the worker, or when another pass starts. */
const NEVER = new AbortController().signal;

let csv: CsvFile | undefined;
let current = { pass: 0, rows: noRows() };

addEventListener('message', ({ data }: MessageEvent<CsvCall>) => {
  const { call } = data;
  const send = (response: CsvResponse) => postMessage(response);
  respond(data).then(
    (value) => send({ call, value }),
    (thrown: unknown) => {
      // Other errors are bugs, for which the page shows the schema's error message.
      const { message, hint } = thrown instanceof CsvError ? thrown : { message: '', hint: undefined };
      send({ call, error: { message, hint } });
    },
  );
});

async function respond(request: CsvCall): Promise<CsvFacts | CsvBatch | undefined> {
  if ('file' in request) {
    csv = await readCsv(request.file, request.schema, request);
    const { encoding, isWeakGuess, delimiter, header } = csv;
    return { encoding, isWeakGuess, delimiter, header };
  }
  if (request.pass !== current.pass) {
    current = { pass: request.pass, rows: csv?.batches(NEVER)[Symbol.asyncIterator]() ?? noRows() };
  }
  const { done, value } = await current.rows.next();
  return done === true ? undefined : value;
}

function noRows(): AsyncIterator<CsvBatch, undefined> {
  return { next: async () => ({ done: true, value: undefined }) };
}
