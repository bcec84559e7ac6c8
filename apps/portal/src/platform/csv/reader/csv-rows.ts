import Papa from 'papaparse';
import type { Delimiter } from '../csv-schema.ts';

/** Splits the text of a file at the ends of rows, wherever the pieces of text end. */
export interface RowSplitter {
  /** Takes the next piece and returns the rows that it completes, each with a final \n. */
  push(text: string): string;
  /** Returns the last row at the end of the text, which needs no line end. */
  end(): string;
  /** At the end, returns the text of the last row before an unclosed quote, or undefined if all are closed. */
  beforeOpenQuote(): string | undefined;
}

interface SplitState {
  delimiter: Delimiter;
  /** Complete rows that weren't returned yet. */
  done: string;
  row: string;
  /** Position of the open quote in that row; -1 outside quotes. */
  quoteAt: number;
  /** The character before the input. */
  before: string;
}

/**
 * Every line end outside quotes becomes \n, so that files with mixed line ends can be parsed. Quoted text is unchanged. Nothing
 * is read twice, so the time is linear in the length of a cell.
 */
export function createRowSplitter(delimiter: Delimiter): RowSplitter {
  const splitState: SplitState = { delimiter, done: '', row: '', quoteAt: -1, before: '\n' };
  let held = '';

  const take = (text: string, isEnd: boolean): string => {
    const input = held + text;
    // A quote may be doubled and a \r may be part of \r\n: the next character decides.
    const end = !isEnd && /["\r]$/.test(input) ? input.length - 1 : input.length;
    let at = 0;
    while (at < end)
      at =
        splitState.quoteAt >= 0 ? goInside(splitState, input, { at, end }) : goOutside(splitState, input, { at, end });
    held = input.slice(at);
    splitState.before = input[at - 1] ?? splitState.before;
    const { done } = splitState;
    splitState.done = '';
    return done;
  };

  return {
    push: (text) => take(text, false),
    end() {
      const done = take('', true);
      return splitState.row === '' ? done : `${done}${splitState.row}\n`;
    },
    beforeOpenQuote: () => (splitState.quoteAt < 0 ? undefined : splitState.row.slice(0, splitState.quoteAt)),
  };
}

interface Span {
  at: number;
  end: number;
}

function goInside(splitState: SplitState, input: string, { at, end }: Span): number {
  let next = at;
  for (;;) {
    const quote = input.indexOf('"', next);
    const isOpen = quote < 0 || quote >= end;
    if (!isOpen && input[quote + 1] === '"') {
      next = quote + 2;
      continue;
    }
    next = isOpen ? Math.max(next, end) : quote + 1;
    splitState.row += input.slice(at, next);
    if (!isOpen) splitState.quoteAt = -1;
    return next;
  }
}

/** Stops at the next quote that begins a cell. */
function goOutside(splitState: SplitState, input: string, { at, end }: Span): number {
  const isBegin = (quote: number) => {
    const before = quote === 0 ? splitState.before : input[quote - 1];
    return before === splitState.delimiter || before === '\n' || before === '\r';
  };
  let quote = input.indexOf('"', at);
  while (quote >= 0 && quote < end && !isBegin(quote)) quote = input.indexOf('"', quote + 1);
  const isCell = quote >= 0 && quote < end;
  const text = input.slice(at, isCell ? quote : end);
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const cut = lines.lastIndexOf('\n') + 1;
  if (cut > 0) {
    splitState.done += splitState.row + lines.slice(0, cut);
    splitState.row = '';
  }
  splitState.row += lines.slice(cut);
  if (!isCell) return end;
  splitState.quoteAt = splitState.row.length;
  splitState.row += '"';
  return quote + 1;
}

/** `brokenAt` is the position of a quote that is followed by text. */
export function parseRows(text: string, delimiter: Delimiter): { rows: string[][]; brokenAt: number | undefined } {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  // The text ends with a line end that no row follows.
  const { data, errors }: Pick<Papa.ParseResult<string[]>, 'data' | 'errors'> = parser.parse(text, 0, true);
  const [first] = errors;
  return { rows: data, brokenAt: first === undefined ? undefined : (first.index ?? 0) };
}

/** Line ends are \n, \r or \r\n. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count += 1;
  return count;
}
