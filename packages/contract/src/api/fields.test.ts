import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { Email, Flag, Id, listAnswer, listQuery, text } from './fields.ts';

const fits = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test('text has a greatest length and no character that cannot be stored', () => {
  assert.ok(fits(text(3), 'äöü') && fits(text(3), '') && fits(text(4), '😀😀'));
  for (const bad of ['abcd', 'a\0', '\ud800', '\udc00x', 1, null, undefined, ['a'], { length: 1 }])
    assert.ok(!fits(text(3), bad), JSON.stringify(bad));
});

test('a text that is too long isn’t looked at any further', () => {
  let looks = 0;
  const schema = text(3).overwrite((value) => {
    looks += 1;
    return value;
  });
  assert.ok(!fits(schema, 'abcd'));
  assert.deepEqual([fits(schema, 'abc'), looks], [true, 1]);
});

test('an id is 26 small letters and digits', () => {
  assert.ok(fits(Id, 'a0'.repeat(13)));
  for (const bad of [
    '',
    'a'.repeat(25),
    'a'.repeat(27),
    'A'.repeat(26),
    `${'a'.repeat(25)}-`,
    `${'a'.repeat(26)}\n`,
    7,
    null,
  ])
    assert.ok(!fits(Id, bad), String(bad));
});

test('an address is trimmed and lowercased, plain ASCII, with a dot after the @', () => {
  assert.equal(Email.parse('  Ann.Lee+x@Example.TEST\t'), 'ann.lee+x@example.test');
  for (const fine of ['a@b.c', "o'neil@a-b.example", `${'x'.repeat(64)}@example.test`, 'a@b.c.d.e'])
    assert.ok(fits(Email, fine), fine);
  for (const bad of [
    '',
    '@',
    'a@b',
    'a@.b',
    'a@b.',
    'a b@c.de',
    'a@b@c.de',
    'a@b..c',
    '"a"@b.cd',
    'a@[127.0.0.1]',
    'a,b@c.de',
    'a@b.cd,e@f.gh',
    'a@b.cd\nBcc: e@f.gh',
    'Ann <a@b.cd>',
    'kım@b.cd',
    '\u212aim@b.cd',
    'ｋim@b.cd',
    'a@b.cd\0',
    'İ@b.cd',
    `${'x'.repeat(65)}@b.cd`,
    `a@${'x'.repeat(64)}.cd`,
    `a@${'b.'.repeat(10)}cd`,
    `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.${'v'.repeat(60)}`,
    1,
    null,
    ['a@b.cd'],
    { toString: 'a@b.cd' },
  ])
    assert.ok(!fits(Email, bad), JSON.stringify(bad));
});

test('a pattern bomb in an address ends immediately', () => {
  for (const bomb of [`${'a'.repeat(500)}`, `a@${'a-'.repeat(250)}`, `${'!'.repeat(250)}@${'.'.repeat(250)}`])
    assert.ok(!fits(Email, bomb));
});

test('a flag is 0, 1 or absent', () => {
  assert.ok(fits(Flag, '1') && fits(Flag, '0') && fits(Flag, undefined));
  for (const bad of ['true', '', '2', 1, true, ['1', '0'], null]) assert.ok(!fits(Flag, bad), String(bad));
});

test('the size of a page is a whole number from 1 to 2,000, written plainly', () => {
  const query = z.object(listQuery);
  assert.equal(query.parse({ limit: '1' }).limit, 1);
  assert.equal(query.parse({ limit: '2000' }).limit, 2000);
  assert.equal(query.parse({}).limit, undefined);
  for (const limit of ['0', '2001', '01', '1.0', '1e3', '-1', '+1', ' 1', '', 'NaN', '0x1', 5])
    assert.ok(!fits(query, { limit }), String(limit));
});

test('a search has at most 200 characters', () => {
  const query = z.object(listQuery);
  assert.ok(fits(query, { search: 'x'.repeat(200) }) && !fits(query, { search: 'x'.repeat(201) }));
  assert.ok(!fits(query, { search: ['a', 'b'] }) && !fits(query, { search: 'a\0' }));
});

test('a list answers its records, the place it ended, and whether it begins anew; other keys are dropped', () => {
  const list = listAnswer(z.object({ id: z.string() }));
  const answer = { records: [{ id: 'a', secret: 'x' }], last_key: null, reset: true, extra: 1 };
  assert.deepEqual(list.parse(answer), { records: [{ id: 'a' }], last_key: null, reset: true });
  assert.ok(!fits(list, { records: [] }), 'last_key is always there');
});
