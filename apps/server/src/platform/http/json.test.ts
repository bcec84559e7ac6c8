import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { findJsonExcess, JSON_DEPTH_MAX, JSON_KEYS_MAX, JSON_VALUES_MAX, parseJson } from './json.ts';

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
      /has more than 125000 values/,
      value,
    );
});

test('JSON with too many keys in one object is refused, at any depth, and as many values in a list are not', () => {
  const object = (keys: number) => `{${Array.from({ length: keys }, (_, at) => `"k${at}":[0,{}]`).join(',')}}`;
  assert.equal(findJsonExcess(`[${object(JSON_KEYS_MAX)},${object(JSON_KEYS_MAX)}]`), undefined);
  assert.match(findJsonExcess(`{"a":[0,${object(JSON_KEYS_MAX + 1)}]}`) ?? '', /an object with more than 5000 keys/);
  assert.equal(findJsonExcess(`[${'0,'.repeat(JSON_KEYS_MAX * 2)}0]`), undefined);
  assert.equal(findJsonExcess(`${']'.repeat(10)},{}`), undefined);
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
