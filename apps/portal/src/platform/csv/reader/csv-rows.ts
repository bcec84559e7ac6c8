import Papa from 'papaparse';
import type { Delimiter } from '../csv-shape.ts';

/** Cuts the text of a file where rows end, however it comes in pieces. */
export interface RowSplitter {
  /** Takes the next piece and answers the rows that it completes, each with a \n at its end. */
  push(text: string): string;
  /** What remains, when the text has ended: the last row, which needs no line end of its own. */
  end(): string;
  /** At the end: what stands in the last row before a quote that nobody closed, or nothing when all are closed. */
  beforeOpenQuote(): string | undefined;
}

interface SplitState {
  delimiter: Delimiter;
  /** Whole rows that were not handed out yet. */
  done: string;
  /** The row that has begun. */
  row: string;
  /** Where in that row the quote stands that is open; -1 outside quotes. */
  quoteAt: number;
  /** The character before the input. */
  before: string;
}

/**
 * Every line end outside quotes comes out as \n, whatever it was, so that files that mix them can be parsed; what stands
 * in quotes stays as it is. Nothing is looked at twice, so a cell of any length costs its length.
 */
export function createRowSplitter(delimiter: Delimiter): RowSplitter {
  const splitState: SplitState = { delimiter, done: '', row: '', quoteAt: -1, before: '\n' };
  let held = '';

  const take = (text: string, isEnd: boolean): string => {
    const input = held + text;
    // A quote may be doubled and a \r may belong to a \n: the next character tells.
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

/** Takes the text of a quoted cell, up to the quote that ends it. */
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

/** Takes what stands outside quotes, up to the next quote that begins a cell. */
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

/** The cells of whole rows, as a cutter hands them out. `brokenAt` is where a quote stands that no cell ends with. */
export function parseRows(text: string, delimiter: Delimiter): { rows: string[][]; brokenAt: number | undefined } {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  // The text ends with a line end, and what follows the last one is no row.
  const { data, errors }: Pick<Papa.ParseResult<string[]>, 'data' | 'errors'> = parser.parse(text, 0, true);
  const [first] = errors;
  return { rows: data, brokenAt: first === undefined ? undefined : (first.index ?? 0) };
}

/** How many lines end in a text, by \n, \r or both. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count += 1;
  return count;
}
