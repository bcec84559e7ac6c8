import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { findJsonError } from './find-json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('finds an error exactly where JSON.parse fails', () => {
  const pieces = fc.constantFrom(
    ...'{}[]:,"\\/ \n\t-+.eE019tfnu\'',
    'true',
    'null',
    '"a":',
    '\\u00e9',
    '\\x',
    '\u0001',
    'é',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(pieces, { maxLength: 12 }).map((each) => each.join('')),
      ),
      (text) => {
        assert.equal(findJsonError(text) === null, isJson(text), text);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('reports the position and the reason of the first error', () => {
  const errors: [string, number, RegExp][] = [
    ['', 0, /unexpected end/],
    ['{"a": 1', 7, /unexpected end; a \} or \] is missing/],
    ['{"a": }', 6, /missing value/],
    ['{"a": 1 "b": 2}', 8, /missing comma/],
    ['{"a": 1,}', 8, /unexpected comma before this/],
    ['[1,]', 3, /missing value/],
    ['{"a" 1}', 5, /missing colon/],
    ['{a: 1}', 1, /must be in double quotes/],
    ['{"a": text}', 6, /text must be in double quotes/],
    ['{"a": 01}', 6, /can't start with 0/],
    ['{"a": "b}', 6, /quote is never closed/],
    ['{"a": "b\n"}', 8, /write a line break as \\n/],
    ['{"a": "\\d"}', 7, /write a backslash as \\\\/],
    ['{} {}', 3, /after the end/],
  ];
  for (const [text, at, words] of errors) {
    const error = findJsonError(text);
    assert.equal(error?.at, at, text);
    assert.match(error?.text ?? '', words, text);
  }
});

test('deep nesting is an error, not a stack overflow', () => {
  assert.equal(findJsonError(`${'['.repeat(100)}${']'.repeat(100)}`), null);
  assert.match(findJsonError('{"a":'.repeat(10_000))?.text ?? '', /nested more than 100 levels deep/);
  assert.match(findJsonError('['.repeat(500_000))?.text ?? '', /nested more than 100 levels deep/);
});
