import { CsvError } from '../csv-error.ts';
import { type CsvHeader, readHeader } from '../csv-header.ts';
import { CSV_FILE_MAX, type CsvBatch, type CsvShape, DELIMITERS, type Delimiter } from '../csv-shape.ts';
import { type CsvReading, DELIMITER_LINE, getRows, hasText, readBatches } from './csv-batches.ts';
import { detectEncoding, type Encoding, readBytes, readText } from './csv-encoding.ts';
import { createRowSplitter, parseRows } from './csv-rows.ts';
import { refuseWrongType, TYPE_BYTES } from './csv-type.ts';

/** How a file is written, and where its columns are. */
export interface CsvFacts {
  encoding: Encoding['name'];
  delimiter: Delimiter;
  header: CsvHeader;
}

/** A file that was opened. */
export interface CsvFile extends CsvFacts {
  /** Reads the rows below the header from the start; every pass gives the same batches. Throws CsvError. */
  batches(signal: AbortSignal): AsyncIterable<CsvBatch>;
  close(): void;
}

/** The header is looked for in so many characters when the delimiter is chosen. */
const HEAD_LENGTH = 64 * 1024;

/** Opens a file on this thread: finds how it is written and checks that it has a header and rows. Throws CsvError. */
export async function readCsv(file: File, shape: CsvShape): Promise<CsvFile> {
  refuseWrongType(file, await readBytes(file.slice(0, TYPE_BYTES), shape));
  if (file.size > CSV_FILE_MAX) {
    throw new CsvError('The file is larger than 100 MB.', 'Split it into smaller files and upload them one by one.');
  }
  const encoding = await detectEncoding(file, shape);
  const head = await readHead(file, encoding, shape);
  if (head.trim() === '') throw new CsvError(shape.refusal, 'The file is empty.');
  const reading: CsvReading = { file, shape, encoding, delimiter: chooseDelimiter(head, shape) };
  const header = await readCheckedHeader(reading);
  return {
    encoding: encoding.name,
    delimiter: reading.delimiter,
    header,
    batches: (signal) => readBatches(reading, signal),
    close: () => undefined,
  };
}

/** The first text of a file that is more than blanks. */
async function readHead(file: Blob, encoding: Encoding, shape: CsvShape): Promise<string> {
  let head = '';
  for await (const { text } of readText(file, encoding, shape)) {
    head = head.trim() === '' ? text : head + text;
    if (head.length >= HEAD_LENGTH && head.trim() !== '') break;
  }
  return head;
}

/**
 * The one that the file names, or that under which its header has most of our columns. A file that has none of them is
 * refused here, before damage further down is looked at: it simply is something else.
 */
function chooseDelimiter(head: string, shape: CsvShape): Delimiter {
  const named = DELIMITER_LINE.exec(head)?.[1];
  const tried = DELIMITERS.map((delimiter) => {
    const cutter = createRowSplitter(delimiter);
    const { rows } = parseRows(cutter.push(head) + cutter.end(), delimiter);
    const first = rows.find(hasText);
    const { places } = readHeader(first ?? [], shape);
    return { delimiter, first, found: places.filter((place) => place >= 0).length };
  });
  const [best] = tried.toSorted((one, other) => other.found - one.found);
  const chosen = tried.find(({ delimiter }) => delimiter === named) ?? best;
  if (named === undefined && best?.first !== undefined && best.found === 0) throw createHeaderError(best.first, shape);
  return chosen?.delimiter ?? ',';
}

async function readCheckedHeader(reading: CsvReading): Promise<CsvHeader> {
  const { shape } = reading;
  let header: CsvHeader | undefined;
  for await (const { rows } of getRows(reading)) {
    const [first, second] = rows;
    if (first === undefined) continue;
    if (header !== undefined) return header;
    header = readHeader(first.cells, shape);
    const [twice] = header.repeated;
    if (twice !== undefined) throw new CsvError(shape.refusal, `The column ${twice} is there twice.`);
    if (header.missing.includes(shape.required)) throw createHeaderError(first.cells, shape);
    if (second !== undefined) return header;
  }
  throw new CsvError(shape.refusal, 'The file has a header but no rows.');
}

function createHeaderError(cells: readonly string[], { required, refusal }: CsvShape): CsvError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what text does not have
  if (cells.some((cell) => /[\0-\x08\x0E-\x1F]/.test(cell))) {
    return new CsvError(refusal, 'The file does not hold text.');
  }
  return new CsvError(refusal, `The column ${required} is missing. The first row has to name the columns.`);
}
