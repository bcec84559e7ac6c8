import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonError } from './find-json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('what is JSON to the language has no fault, and what is not has one', () => {
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

test('a fault is found at its place and named in plain words', () => {
  const faults: [string, number, RegExp][] = [
    ['', 0, /ends too early/],
    ['{"a": 1', 7, /ends too early; a \} or \] is missing/],
    ['{"a": }', 6, /a value is missing/],
    ['{"a": 1 "b": 2}', 8, /a comma is missing/],
    ['{"a": 1,}', 8, /a comma too many/],
    ['[1,]', 3, /a value is missing/],
    ['{"a" 1}', 5, /a colon is missing/],
    ['{a: 1}', 1, /a name in double quotes is missing/],
    ['{"a": text}', 6, /a text needs double quotes/],
    ['{"a": 01}', 6, /a text needs double quotes/],
    ['{"a": "b}', 6, /quotes that begin here are not closed/],
    ['{"a": "b\n"}', 8, /a line break within quotes is written \\n/],
    ['{"a": "\\d"}', 7, /a backslash within quotes is written \\\\/],
    ['{} {}', 3, /behind the end/],
  ];
  for (const [text, at, words] of faults) {
    const fault = findJsonError(text);
    assert.equal(fault?.at, at, text);
    assert.match(fault?.text ?? '', words, text);
  }
});

test('deep nesting is a fault, not the end of the stack', () => {
  assert.equal(findJsonError(`${'['.repeat(100)}${']'.repeat(100)}`), null);
  assert.match(findJsonError('{"a":'.repeat(10_000))?.text ?? '', /nested more than 100 deep/);
  assert.match(findJsonError('['.repeat(500_000))?.text ?? '', /nested more than 100 deep/);
});
