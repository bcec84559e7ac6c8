import { withRetry } from '#platform/api/with-retry.ts';
import { sendBatch } from './upload-batches.ts';
import type { FileRow, UploadFile } from './upload-file.ts';
import type { AnyRow, IfExists, Outcome, PreviewAnswer, Texts, UploadKind } from './upload-kind.ts';

/** Maximum number of rows shown per outcome. */
const SAMPLES = 50;
/** Maximum number of characters shown of a cell. Megabytes must never reach the page. */
const TEXT_LENGTH_MAX = 200;

/** Long texts are cut. */
export interface Sample {
  line: number;
  outcome: Outcome;
  row: Texts;
  keep: readonly string[];
  /** The reason why the row is wrong; '' without an error. */
  error: string;
  /** The stored values that the row would change. */
  before: Texts | undefined;
}

export interface Forecast {
  rows: number;
  counts: Record<Outcome, number>;
  /** Additional counts of this kind of file. */
  facts: Record<string, number>;
  /** The first rows of the file, and the first of each outcome. */
  samples: Record<Outcome | 'first', Sample[]>;
  /** Null without errors. */
  errorCsv: Blob | null;
}

interface ForecastOptions<Row extends AnyRow, Imported> {
  file: UploadFile<Row>;
  kind: UploadKind<Row, Imported>;
  ifExists: IfExists;
  signal: AbortSignal;
  onProgress: (progress: { read: number; rows: number }) => void;
}

/** Requests a preview of every row from the server; stores nothing. */
export async function createForecast<Row extends AnyRow, Imported>({
  file,
  kind,
  ifExists,
  signal,
  onProgress,
}: ForecastOptions<Row, Imported>): Promise<Forecast> {
  const forecast = createEmptyForecast();
  const errorCsv = kind.createErrorCsv(file.missing);
  for await (const { rows, read } of file.batches(signal)) {
    const before = new Map<FileRow<Row>, Texts | undefined>();
    const outcomes = new Map<FileRow<Row>, Outcome>();
    const { wrong } = await sendBatch(rows, {
      bodyMax: kind.bodyMax,
      send: (sent) => withRetry(() => kind.calls.preview(sent, { ifExists, signal }), signal),
      onAnswer: (answer, sent) => {
        for (const [at, row] of sent.entries()) {
          before.set(row, answer.before.get(at));
          outcomes.set(row, answer.outcomes[at] ?? 'failed');
        }
        count(forecast, answer);
      },
    });
    errorCsv.add(wrong);
    forecast.counts.failed += wrong.length;
    forecast.rows += rows.length;
    const errors = new Map(wrong.map(({ place, error }) => [place, error]));
    for (const [place, row] of rows.entries()) {
      const outcome = errors.has(place) ? 'failed' : (outcomes.get(row) ?? 'failed');
      const texts = () => ({ row: kind.toTexts(row.row), before: before.get(row) });
      addSample(forecast, { file: row, outcome, error: errors.get(place) ?? '', texts });
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
    facts: {},
    samples: { first: [], created: [], changed: [], unchanged: [], failed: [] },
    errorCsv: null,
  };
}

function count(forecast: Forecast, { created, changed, unchanged, facts }: PreviewAnswer): void {
  forecast.counts.created += created;
  forecast.counts.changed += changed;
  forecast.counts.unchanged += unchanged;
  for (const [name, more] of Object.entries(facts)) forecast.facts[name] = (forecast.facts[name] ?? 0) + more;
}

interface SampleInput {
  file: FileRow<AnyRow>;
  outcome: Outcome;
  error: string;
  /** Called only for rows that are shown. */
  texts: () => Pick<Sample, 'row' | 'before'>;
}

function addSample(forecast: Forecast, { file, outcome, error, texts }: SampleInput): void {
  const lists = [forecast.samples.first, forecast.samples[outcome]].filter((list) => list.length < SAMPLES);
  if (lists.length === 0) return;
  const { row, before } = texts();
  const sample: Sample = {
    line: file.line,
    outcome,
    row: truncateTexts(row),
    keep: file.row.keep ?? [],
    error: truncateText(error),
    before: before === undefined ? undefined : truncateTexts(before),
  };
  for (const list of lists) list.push(sample);
}

function truncateTexts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, truncateText(text)]));
}

/** Copies the text, because a substring keeps the whole string in memory. Half a character at the cut is left out. */
function truncateText(text: string): string {
  if (text.length <= TEXT_LENGTH_MAX) return text;
  const copy = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, TEXT_LENGTH_MAX)));
  return `${copy.replace(/\uFFFD$/, '')}…`;
}
