import type { EncodingName } from '../csv-encodings.ts';
import {
  BATCH_ROWS,
  CSV_FILE_MAX,
  type CsvBatch,
  CsvError,
  type CsvHeader,
  type CsvRow,
  type CsvSchema,
  DELIMITERS,
  type Delimiter,
  readHeader,
} from '../csv-schema.ts';
import { detectEncoding, type Encoding, getChosenEncoding, readBytes, readText } from './csv-encoding.ts';
import { countLines, createRowSplitter, parseRows } from './csv-rows.ts';
import { refuseWrongType, TYPE_BYTES } from './file-type.ts';

export interface CsvFacts {
  encoding: EncodingName;
  /** The encoding was guessed, and another one is nearly as plausible. */
  isWeakGuess: boolean;
  delimiter: Delimiter;
  header: CsvHeader;
}

export interface CsvFile extends CsvFacts {
  /** Reads the rows below the header from the start; every pass returns the same batches. Throws CsvError. */
  batches(signal: AbortSignal): AsyncIterable<CsvBatch>;
  close(): void;
}

/** Number of characters in which the header is searched for when the delimiter is chosen. */
const HEAD_LENGTH = 64 * 1024;

/**
 * Opens a file on this thread, detects its format and checks that it has a header and rows. `encoding` is the one that the
 * user has chosen. Throws CsvError.
 */
export async function readCsv(
  file: File,
  schema: CsvSchema,
  { encoding: chosen }: { encoding?: EncodingName | undefined } = {},
): Promise<CsvFile> {
  refuseWrongType(file, await readBytes(file.slice(0, TYPE_BYTES), schema), schema);
  if (file.size > CSV_FILE_MAX) {
    throw new CsvError('The file is larger than 100 MB.', 'Split it into smaller files and upload them one by one.');
  }
  const encoding = await (chosen === undefined
    ? detectEncoding(file, schema)
    : getChosenEncoding(file, chosen, schema));
  const head = await readHead(file, encoding, schema);
  if (head.trim() === '') throw new CsvError(schema.invalidMessage, 'The file is empty.');
  const reading: CsvReading = { file, schema, encoding, delimiter: chooseDelimiter(head, schema) };
  const header = await readCheckedHeader(reading);
  return {
    encoding: encoding.name,
    isWeakGuess: encoding.isWeak,
    delimiter: reading.delimiter,
    header,
    batches: (signal) => readBatches(reading, signal),
    close: () => undefined,
  };
}

/** Skips blank text at the start. */
async function readHead(file: Blob, encoding: Encoding, schema: CsvSchema): Promise<string> {
  let head = '';
  for await (const { text } of readText(file, encoding, schema)) {
    head = head.trim() === '' ? text : head + text;
    if (head.length >= HEAD_LENGTH && head.trim() !== '') break;
  }
  return head;
}

/**
 * Returns the delimiter that the file names, or the one that finds most of the schema's columns in its header. A file with none
 * of the columns is refused here, before damage further down is reported.
 */
function chooseDelimiter(head: string, schema: CsvSchema): Delimiter {
  const named = DELIMITER_LINE.exec(head)?.[1];
  const tried = DELIMITERS.map((delimiter) => {
    const splitter = createRowSplitter(delimiter);
    const { rows } = parseRows(splitter.push(head) + splitter.end(), delimiter);
    const first = rows.find(hasText);
    const { places } = readHeader(first ?? [], schema);
    return { delimiter, first, found: places.filter((place) => place >= 0).length };
  });
  const [best] = tried.toSorted((one, other) => other.found - one.found);
  const chosen = tried.find(({ delimiter }) => delimiter === named) ?? best;
  if (named === undefined && best?.first !== undefined && best.found === 0) throw createHeaderError(best.first, schema);
  return chosen?.delimiter ?? ',';
}

async function readCheckedHeader(reading: CsvReading): Promise<CsvHeader> {
  const { schema } = reading;
  let header: CsvHeader | undefined;
  for await (const { rows } of getRows(reading)) {
    const [first, second] = rows;
    if (first === undefined) continue;
    if (header !== undefined) return header;
    header = readHeader(first.cells, schema);
    const [twice] = header.repeated;
    if (twice !== undefined) throw new CsvError(schema.invalidMessage, `The column ${twice} occurs twice.`);
    if (header.missing.includes(schema.required)) throw createHeaderError(first.cells, schema);
    if (second !== undefined) return header;
  }
  throw new CsvError(schema.invalidMessage, 'The file has a header but no rows.');
}

function createHeaderError(cells: readonly string[], { required, invalidMessage }: CsvSchema): CsvError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text doesn't contain them
  if (cells.some((cell) => /[\0-\x08\x0E-\x1F]/.test(cell))) {
    return new CsvError(invalidMessage, 'The file does not contain text.');
  }
  return new CsvError(
    invalidMessage,
    `The column ${required} is missing. The first row must contain the column names.`,
  );
}

interface CsvReading {
  file: Blob;
  schema: CsvSchema;
  encoding: Encoding;
  delimiter: Delimiter;
}

/** Maximum characters of a batch, so that memory use stays flat; a single longer row is a batch of its own. */
const BATCH_LENGTH = 600_000;
/** The line that tells Excel the delimiter. */
const DELIMITER_LINE = /^sep=([,;\t])(?:\r\n|\r|\n|$)/i;

/** Returns the rows below the header in full batches. */
async function* readBatches(reading: CsvReading, signal: AbortSignal): AsyncGenerator<CsvBatch> {
  let batch: CsvRow[] = [];
  let length = 0;
  let isHeader = true;
  let last = 0;
  for await (const { rows, read } of getRows(reading)) {
    signal.throwIfAborted();
    for (const [at, row] of rows.entries()) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      const more = row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (batch.length === BATCH_ROWS || (batch.length > 0 && length + more > BATCH_LENGTH)) {
        yield { rows: batch, read: Math.round(last + ((read - last) * at) / rows.length) };
        signal.throwIfAborted();
        batch = [];
        length = 0;
      }
      batch.push(row);
      length += more;
    }
    last = read;
  }
  if (batch.length > 0) yield { rows: batch, read: reading.file.size };
}

async function* getRows({ file, schema, encoding, delimiter }: CsvReading): AsyncGenerator<CsvBatch> {
  const splitter = createRowSplitter(delimiter);
  let line = 1;
  const parsed = (text: string): CsvRow[] => {
    const { rows, brokenAt } = parseRows(text, delimiter);
    if (brokenAt !== undefined) {
      const where = line + countLines(text.slice(0, brokenAt));
      const hint = `In line ${where} text follows the quote that ends a cell. A quote inside a cell is written twice.`;
      throw new CsvError(schema.invalidMessage, hint);
    }
    const mayHoldLines = text.includes('"');
    const numbered = rows.map((cells) => {
      const row = { line, cells };
      line += 1 + (mayHoldLines ? cells.reduce((sum, cell) => sum + countLines(cell), 0) : 0);
      return row;
    });
    return numbered.filter(({ cells }) => hasText(cells));
  };

  let isFirst = true;
  for await (const { text, read } of readText(file, encoding, schema)) {
    const named = isFirst ? DELIMITER_LINE.exec(text)?.[0] : undefined;
    isFirst = false;
    if (named !== undefined) line += 1;
    yield { rows: parsed(splitter.push(text.slice(named?.length ?? 0))), read };
  }
  const rest = splitter.end();
  const before = splitter.beforeOpenQuote();
  if (before !== undefined) {
    const hint = `The quote that opens in line ${line + countLines(before)} is never closed.`;
    throw new CsvError(schema.invalidMessage, hint);
  }
  yield { rows: parsed(rest), read: file.size };
}

function hasText(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.trim() !== '');
}
