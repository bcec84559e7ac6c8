import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonExcess, JSON_DEPTH_MAX, JSON_VALUES_MAX, parseJson } from './json.ts';

test('JSON of the deepest nesting is parsed, and one level more is refused', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.ok(Array.isArray(parseJson(nested(JSON_DEPTH_MAX))));
  assert.throws(() => parseJson(nested(JSON_DEPTH_MAX + 1)), /nested more than 64 levels/);
  assert.throws(() => parseJson('{"a":'.repeat(JSON_DEPTH_MAX + 1)), /nested more than 64 levels/);
});

test('JSON of too many values is refused, whatever the values are', () => {
  for (const value of ['0', '[]', '""', 'null', '{"a":1}'])
    assert.throws(
      () => parseJson(`[${`${value},`.repeat(JSON_VALUES_MAX)}${value}]`),
      /has more than 250000 values/,
      value,
    );
});

test('brackets, commas and escaped quotation marks in strings do not count', () => {
  const text = JSON.stringify({ text: '[{,'.repeat(JSON_VALUES_MAX), quoted: '"['.repeat(100), backslash: '\\' });
  assert.equal(findJsonExcess(text), undefined);
  assert.throws(() => parseJson('{"a":"\\\\", "b": [[[]]]}', { depth: 3 }), /nested/);
});

test('a text that is no JSON is a syntax error', () => {
  for (const text of ['', '{', '"', '"\\', ']]]', '{"a":1}}']) assert.throws(() => parseJson(text), SyntaxError, text);
});

test('any JSON value within the limits is parsed as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(parseJson(text)), text);
    }),
  );
});
