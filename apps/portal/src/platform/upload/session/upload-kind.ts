import type { OpenOptions } from '#platform/csv/csv-file.ts';
import type { ErrorCsv, UploadFile } from './upload-file.ts';

export const OUTCOMES = ['created', 'changed', 'unchanged', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** `keep` names fields that the file doesn't have, so that their stored values stay. */
export interface AnyRow {
  keep?: readonly string[];
}

/** The texts of a row by field, as the preview shows them. */
export type Texts = Readonly<Record<string, string>>;

/** The server's response to the rows of one call. */
export interface BatchAnswer {
  created: number;
  changed: number;
  unchanged: number;
  /** `row` is the index of the row in the call, from 0. */
  errors: readonly { row: number; error: string }[];
}

export interface PreviewAnswer extends BatchAnswer {
  /** The effect of each row, in the order sent. */
  outcomes: readonly Outcome[];
  /** The stored records by the index of the row that would change them. */
  before: ReadonlyMap<number, Texts>;
  /** Additional counts of this kind of file. */
  facts: Readonly<Record<string, number>>;
}

/** The treatment of rows that match an existing record: `add` adds another one. */
export type IfExists = 'keep' | 'update' | 'add';

/** The calls that an upload makes. A test passes others. */
export interface UploadCalls<Row, Imported> {
  preview: (rows: Row[], how: { ifExists: IfExists; signal: AbortSignal }) => Promise<PreviewAnswer>;
  start: (fileName: string, key: string) => Promise<{ id: string }>;
  /** The same key stores the same rows once, however often they are sent. */
  store: (rows: Row[], to: { importId: string; key: string; ifExists: IfExists }) => Promise<BatchAnswer>;
  finish: (importId: string, how: { cancelled: boolean; unreadable: number }) => Promise<Imported>;
}

export interface UploadKind<Row extends AnyRow, Imported> {
  calls: UploadCalls<Row, Imported>;
  open: (file: File, options: OpenOptions) => Promise<UploadFile<Row>>;
  /** Creates the file of the rows that weren't stored. `missing` has the labels of columns that the file lacks. */
  createErrorCsv: (missing: readonly string[]) => ErrorCsv<Row>;
  toTexts: (row: Row) => Texts;
  /** Largest body of a call, in bytes. */
  bodyMax: number;
}
