import { CsvFault } from '../csv-fault.ts';
import { type CsvHeader, readHeader } from '../csv-header.ts';
import { CSV_FILE_MAX, type CsvBatch, type CsvShape, DELIMITERS, type Delimiter } from '../csv-shape.ts';
import { batchesOf, type CsvReading, DELIMITER_LINE, hasText, rowsOf } from './csv-batches.ts';
import { bytesOf, type Encoding, findEncoding, readText } from './csv-encoding.ts';
import { createRowCutter, parseRows } from './csv-rows.ts';
import { refuseWrongType, TYPE_BYTES } from './csv-type.ts';

/** How a file is written, and where its columns are. */
export interface CsvFacts {
  encoding: Encoding['name'];
  delimiter: Delimiter;
  header: CsvHeader;
}

/** A file that was opened. */
export interface CsvFile extends CsvFacts {
  /** Reads the rows below the header from the start; every pass gives the same batches. Throws CsvFault. */
  batches(signal: AbortSignal): AsyncIterable<CsvBatch>;
  close(): void;
}

/** The header is looked for in so many characters when the delimiter is chosen. */
const HEAD_LENGTH = 64 * 1024;

/** Opens a file on this thread: finds how it is written and checks that it has a header and rows. Throws CsvFault. */
export async function readCsv(file: File, shape: CsvShape): Promise<CsvFile> {
  refuseWrongType(file, await bytesOf(file.slice(0, TYPE_BYTES), shape));
  if (file.size > CSV_FILE_MAX) {
    throw new CsvFault('The file is larger than 100 MB.', 'Split it into smaller files and upload them one by one.');
  }
  const encoding = await findEncoding(file, shape);
  const head = await readHead(file, encoding, shape);
  if (head.trim() === '') throw new CsvFault(shape.refusal, 'The file is empty.');
  const reading: CsvReading = { file, shape, encoding, delimiter: chooseDelimiter(head, shape) };
  const header = await checkedHeader(reading);
  return {
    encoding: encoding.name,
    delimiter: reading.delimiter,
    header,
    batches: (signal) => batchesOf(reading, signal),
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
    const cutter = createRowCutter(delimiter);
    const { rows } = parseRows(cutter.push(head) + cutter.end(), delimiter);
    const first = rows.find(hasText);
    const { places } = readHeader(first ?? [], shape);
    return { delimiter, first, found: places.filter((place) => place >= 0).length };
  });
  const [best] = tried.toSorted((one, other) => other.found - one.found);
  const chosen = tried.find(({ delimiter }) => delimiter === named) ?? best;
  if (named === undefined && best?.first !== undefined && best.found === 0) throw noHeader(best.first, shape);
  return chosen?.delimiter ?? ',';
}

async function checkedHeader(reading: CsvReading): Promise<CsvHeader> {
  const { shape } = reading;
  let header: CsvHeader | undefined;
  for await (const { rows } of rowsOf(reading)) {
    const [first, second] = rows;
    if (first === undefined) continue;
    if (header !== undefined) return header;
    header = readHeader(first.cells, shape);
    const [twice] = header.repeated;
    if (twice !== undefined) throw new CsvFault(shape.refusal, `The column ${twice} is there twice.`);
    if (header.missing.includes(shape.required)) throw noHeader(first.cells, shape);
    if (second !== undefined) return header;
  }
  throw new CsvFault(shape.refusal, 'The file has a header but no rows.');
}

function noHeader(cells: readonly string[], { required, refusal }: CsvShape): CsvFault {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what text does not have
  if (cells.some((cell) => /[\0-\x08\x0E-\x1F]/.test(cell))) {
    return new CsvFault(refusal, 'The file does not hold text.');
  }
  return new CsvFault(refusal, `The column ${required} is missing. The first row has to name the columns.`);
}
