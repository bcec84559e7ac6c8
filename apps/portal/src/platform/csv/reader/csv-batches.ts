import { CsvError } from '../csv-error.ts';
import { BATCH_ROWS, type CsvBatch, type CsvRow, type CsvShape, type Delimiter } from '../csv-shape.ts';
import { type Encoding, readText } from './csv-encoding.ts';
import { countLines, createRowSplitter, parseRows } from './csv-rows.ts';

/** What a pass over a file has to know. */
export interface CsvReading {
  file: Blob;
  shape: CsvShape;
  encoding: Encoding;
  delimiter: Delimiter;
}

/** A batch holds at most so many characters, apart from a row that alone has more: memory stays flat. */
const BATCH_LENGTH = 600_000;
/** The line by which Excel is told the delimiter. */
export const DELIMITER_LINE = /^sep=([,;\t])(?:\r\n|\r|\n|$)/i;

/** Rows below the header, as many in each batch as may be. */
export async function* readBatches(reading: CsvReading, signal: AbortSignal): AsyncGenerator<CsvBatch> {
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

/** All rows of a file that have text in them, as they come in. */
export async function* getRows({ file, shape, encoding, delimiter }: CsvReading): AsyncGenerator<CsvBatch> {
  const cutter = createRowSplitter(delimiter);
  let line = 1;
  const parsed = (text: string): CsvRow[] => {
    const { rows, brokenAt } = parseRows(text, delimiter);
    if (brokenAt !== undefined) {
      const where = line + countLines(text.slice(0, brokenAt));
      const hint = `In line ${where} text follows the quote that ends a cell. A quote inside a cell is written twice.`;
      throw new CsvError(shape.refusal, hint);
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
  for await (const { text, read } of readText(file, encoding, shape)) {
    const named = isFirst ? DELIMITER_LINE.exec(text)?.[0] : undefined;
    isFirst = false;
    if (named !== undefined) line += 1;
    yield { rows: parsed(cutter.push(text.slice(named?.length ?? 0))), read };
  }
  const rest = cutter.end();
  const before = cutter.beforeOpenQuote();
  if (before !== undefined) {
    const hint = `The quote that opens in line ${line + countLines(before)} is never closed.`;
    throw new CsvError(shape.refusal, hint);
  }
  yield { rows: parsed(rest), read: file.size };
}

/** Whether a row says anything. */
export function hasText(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.trim() !== '');
}
