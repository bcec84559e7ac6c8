import type { Answer } from '@steward/contract/api/endpoint';
import type { Entry, Outcome, UploadRow, uploadEntries } from '@steward/contract/directory';
import { withRetry } from '#platform/api/with-retry.ts';
import { prefetchItems } from '#platform/csv/prefetch-items.ts';
import { createErrorCsv, type DirectoryFile, type FileRow } from '../file/directory.csv.ts';
import { sendBatch } from './upload-batches.ts';
import type { UploadCalls } from './upload-calls.ts';

/** Rows shown per outcome. */
const SAMPLES = 50;
/** Characters shown of a cell: megabytes must never reach the page. */
const TEXT_LENGTH_MAX = 200;

type Fields = Pick<UploadRow, 'name' | 'phone_number' | 'sms' | 'email'>;

/** A row of the file in the preview, with long texts cut. */
export interface Sample {
  line: number;
  outcome: Outcome;
  row: Fields;
  keep: readonly string[];
  /** Why it is wrong; '' without an error. */
  error: string;
  /** The stored values that the row would change. */
  before: Fields | undefined;
}

/** What an upload of the file would change. */
export interface Forecast {
  rows: number;
  counts: Record<Outcome, number>;
  twins: number;
  preservedNumbers: number;
  preservedNames: number;
  /** The first rows of the file, and the first of each outcome. */
  samples: Record<Outcome | 'first', Sample[]>;
  /** Null without errors. */
  errorCsv: Blob | null;
}

interface ForecastOptions {
  file: DirectoryFile;
  calls: Pick<UploadCalls, 'preview'>;
  signal: AbortSignal;
  onProgress: (progress: { read: number; rows: number }) => void;
}

/** Requests a preview of every row from the server; stores nothing. */
export async function createForecast({ file, calls, signal, onProgress }: ForecastOptions): Promise<Forecast> {
  const forecast = createEmptyForecast();
  const errorCsv = createErrorCsv(file.missing);
  for await (const { rows, read } of prefetchItems(file.batches(signal))) {
    const before = new Map<string, Entry>();
    const outcomes = new Map<FileRow, Outcome>();
    const { wrong } = await sendBatch(rows, {
      send: (sent) => withRetry(() => calls.preview(sent, signal), signal),
      onAnswer: (answer, sent) => {
        for (const entry of answer.preview?.before ?? []) before.set(entry.id, entry);
        for (const [at, row] of sent.entries()) outcomes.set(row, answer.preview?.outcomes[at] ?? 'failed');
        count(forecast, answer);
      },
    });
    errorCsv.add(wrong);
    forecast.counts.failed += wrong.length;
    forecast.rows += rows.length;
    const errors = new Map(wrong.map(({ place, error }) => [place, error]));
    for (const [place, row] of rows.entries()) {
      const outcome = errors.has(place) ? 'failed' : (outcomes.get(row) ?? 'failed');
      addSample(forecast, { row, outcome, error: errors.get(place) ?? '', before: before.get(row.row.id.trim()) });
    }
    onProgress({ read, rows: forecast.rows });
    signal.throwIfAborted();
  }
  if (forecast.counts.failed > 0) forecast.errorCsv = errorCsv.finish();
  return forecast;
}

function createEmptyForecast(): Forecast {
  return {
    rows: 0,
    counts: { created: 0, changed: 0, unchanged: 0, failed: 0 },
    twins: 0,
    preservedNumbers: 0,
    preservedNames: 0,
    samples: { first: [], created: [], changed: [], unchanged: [], failed: [] },
    errorCsv: null,
  };
}

function count(forecast: Forecast, { created, changed, unchanged, preview }: Answer<typeof uploadEntries>): void {
  forecast.counts.created += created;
  forecast.counts.changed += changed;
  forecast.counts.unchanged += unchanged;
  forecast.twins += preview?.twins ?? 0;
  forecast.preservedNumbers += preview?.kept_numbers ?? 0;
  forecast.preservedNames += preview?.kept_names ?? 0;
}

interface SampleInput {
  row: FileRow;
  outcome: Outcome;
  error: string;
  before: Entry | undefined;
}

function addSample(forecast: Forecast, { row, outcome, error, before }: SampleInput): void {
  const lists = [forecast.samples.first, forecast.samples[outcome]].filter((list) => list.length < SAMPLES);
  if (lists.length === 0) return;
  const sample: Sample = {
    line: row.line,
    outcome,
    row: truncateFields(row.row),
    keep: row.row.keep ?? [],
    error: truncateText(error),
    before: before === undefined ? undefined : truncateFields(before),
  };
  for (const list of lists) list.push(sample);
}

function truncateFields({ name, phone_number, sms, email }: Fields): Fields {
  return {
    name: truncateText(name),
    phone_number: truncateText(phone_number),
    sms: truncateText(sms),
    email: truncateText(email),
  };
}

/** A copy, because a substring keeps the whole string in memory; half a character at the cut is left out. */
function truncateText(text: string): string {
  if (text.length <= TEXT_LENGTH_MAX) return text;
  const copy = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, TEXT_LENGTH_MAX)));
  return `${copy.replace(/\uFFFD$/, '')}…`;
}
