/** Where a text stops being JSON, and why in plain words. */
export interface JsonError {
  /** Characters before it. */
  at: number;
  text: string;
}

const DEPTH_MAX = 100;
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const INSIDE_QUOTES = /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/** What may come next: a value, the same or the end of a list, a name, the same or the end of an object, … */
type Expected = 'value' | 'firstItem' | 'name' | 'firstName' | 'colon' | 'next';

/** What is read so far: the brackets that are open, and where the reading is. */
interface Reading {
  text: string;
  at: number;
  open: string[];
  expected: Expected;
}

/**
 * The first place where a text is not JSON; null when all of it is. Says more than the parser of the language, which keeps the
 * place to itself in short texts and has no words for people. Deeply nested JSON is a fault here.
 */
export function findJsonError(text: string): JsonError | null {
  const reading: Reading = { text, at: 0, open: [], expected: 'value' };
  for (;;) {
    reading.at = after(SPACE, text, reading.at);
    const done = reading.expected === 'next' && reading.open.length === 0;
    if (reading.at === text.length) return done ? null : fault(reading, 'it ends too early; a } or ] is missing');
    if (done) return fault(reading, 'something stands behind the end of the JSON');
    const found = step(reading, text.charAt(reading.at));
    if (found) return found;
  }
}

function step(reading: Reading, sign: string): JsonError | null {
  const { expected } = reading;
  if (expected === 'colon') return sign === ':' ? go(reading, 'value') : fault(reading, 'a colon is missing');
  if (expected === 'next') return findNextFault(reading, sign);
  if (expected === 'firstItem' && sign === ']') return close(reading);
  if (expected === 'firstName' && sign === '}') return close(reading);
  if (expected === 'name' || expected === 'firstName') {
    if (sign === '"') return quoted(reading, 'colon');
    return fault(reading, sign === '}' ? 'there is a comma too many before it' : 'a name in double quotes is missing');
  }
  return valueAt(reading, sign);
}

function findNextFault(reading: Reading, sign: string): JsonError | null {
  const inObject = reading.open.at(-1) === '{';
  if (sign === ',') return go(reading, inObject ? 'name' : 'value');
  if (sign === (inObject ? '}' : ']')) return close(reading);
  return fault(reading, 'a comma is missing');
}

function valueAt(reading: Reading, sign: string): JsonError | null {
  if (sign === '"') return quoted(reading, 'next');
  if (sign === '{' || sign === '[') {
    if (reading.open.push(sign) > DEPTH_MAX) return fault(reading, `it is nested more than ${DEPTH_MAX} deep`);
    return go(reading, sign === '{' ? 'firstName' : 'firstItem');
  }
  const end = after(SCALAR, reading.text, reading.at);
  if (end === reading.at)
    return fault(reading, /[,}\]]/.test(sign) ? 'a value is missing' : 'a text needs double quotes');
  return go(reading, 'next', end);
}

function quoted(reading: Reading, expected: Expected): JsonError | null {
  const { text } = reading;
  const end = after(INSIDE_QUOTES, text, reading.at + 1);
  if (text[end] === '"') return go(reading, expected, end + 1);
  if (end === text.length) return fault(reading, 'the quotes that begin here are not closed');
  reading.at = end;
  if (text[end] === '\\') return fault(reading, 'a backslash within quotes is written \\\\');
  return fault(reading, 'a line break within quotes is written \\n, a tab \\t');
}

function close(reading: Reading): null {
  reading.open.pop();
  return go(reading, 'next');
}

function go(reading: Reading, expected: Expected, at = reading.at + 1): null {
  reading.at = at;
  reading.expected = expected;
  return null;
}

function fault({ at }: Reading, text: string): JsonError {
  return { at, text };
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
