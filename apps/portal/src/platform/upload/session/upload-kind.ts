import type { ErrorCsv, UploadFile } from './upload-file.ts';

/** What a row of an upload does. */
export const OUTCOMES = ['created', 'changed', 'unchanged', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A row as it is sent; `keep` names fields that the file doesn't have, so that what is stored there stays. */
export interface AnyRow {
  keep?: readonly string[];
}

/** The texts of a row by field, as the preview shows them. */
export type Texts = Readonly<Record<string, string>>;

/** The server's answer to the rows of one call. */
export interface BatchAnswer {
  created: number;
  changed: number;
  unchanged: number;
  /** `row` is the place of the row in the call, from 0. */
  errors: readonly { row: number; error: string }[];
}

/** The same for a preview. */
export interface PreviewAnswer extends BatchAnswer {
  /** What each row would do, in the order sent. */
  outcomes: readonly Outcome[];
  /** What is stored now, by the place of the row that would change it. */
  before: ReadonlyMap<number, Texts>;
  /** Further counts of this kind of file. */
  facts: Readonly<Record<string, number>>;
}

/** The calls that an upload makes; a test gives others. */
export interface UploadCalls<Row, Imported> {
  preview: (rows: Row[], signal: AbortSignal) => Promise<PreviewAnswer>;
  start: (fileName: string, key: string) => Promise<{ id: string }>;
  /** The same key stores the same rows once, however often they are sent. */
  store: (rows: Row[], to: { importId: string; key: string }) => Promise<BatchAnswer>;
  finish: (importId: string, how: { cancelled: boolean; unreadable: number }) => Promise<Imported>;
}

/** How the files of one screen are read, sent and given back. */
export interface UploadKind<Row extends AnyRow, Imported> {
  calls: UploadCalls<Row, Imported>;
  open: (file: File, signal: AbortSignal) => Promise<UploadFile<Row>>;
  /** The file of the rows that weren't stored; `missing` are the labels of columns that the file lacks. */
  createErrorCsv: (missing: readonly string[]) => ErrorCsv<Row>;
  toTexts: (row: Row) => Texts;
  /** Largest body of a call, in bytes. */
  bodyMax: number;
}
