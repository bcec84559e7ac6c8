// Reads CSV files away from the page, which asks for each batch: nothing runs ahead of it.
import type { CsvCall, CsvResponse } from '../csv-calls.ts';
import { CsvError } from '../csv-error.ts';
import type { CsvBatch } from '../csv-shape.ts';
import { type CsvFacts, type CsvFile, readCsv } from './csv-reader.ts';

/** Ending a pass ends this worker, or another pass takes its place. */
const NEVER = new AbortController().signal;

let csv: CsvFile | undefined;
let current = { pass: 0, rows: noRows() };

addEventListener('message', ({ data }: MessageEvent<CsvCall>) => {
  const { call } = data;
  const send = (answer: CsvResponse) => postMessage(answer);
  respond(data).then(
    (value) => send({ call, value }),
    (thrown: unknown) => {
      // Anything else is a mistake of ours: the page has words for a reader that says nothing.
      const { message, hint } = thrown instanceof CsvError ? thrown : { message: '', hint: undefined };
      send({ call, fault: { message, hint } });
    },
  );
});

async function respond(ask: CsvCall): Promise<CsvFacts | CsvBatch | undefined> {
  if ('file' in ask) {
    csv = await readCsv(ask.file, ask.shape);
    const { encoding, delimiter, header } = csv;
    return { encoding, delimiter, header };
  }
  if (ask.pass !== current.pass) {
    current = { pass: ask.pass, rows: csv?.batches(NEVER)[Symbol.asyncIterator]() ?? noRows() };
  }
  const { done, value } = await current.rows.next();
  return done === true ? undefined : value;
}

function noRows(): AsyncIterator<CsvBatch, undefined> {
  return { next: async () => ({ done: true, value: undefined }) };
}
