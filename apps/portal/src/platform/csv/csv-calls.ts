import type { CsvBatch, CsvShape } from './csv-shape.ts';
import type { CsvFacts } from './reader/csv-reader.ts';

/** What the page asks of the worker: to open a file, or for the next rows of a pass; a new pass begins at the start. */
export type CsvRequest = { file: File; shape: CsvShape } | { pass: number };

/** The same, numbered, so that each answer finds who asked. */
export type CsvCall = CsvRequest & { call: number };

/** What comes back: how the file is written, rows, nothing at the end of a pass, or why the file cannot be read. */
export type CsvResponse = { call: number } & (
  | { value: CsvFacts | CsvBatch | undefined }
  | { fault: { message: string; hint: string | undefined } }
);
