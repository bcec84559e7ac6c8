import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Refusal } from '#platform/http/errors.ts';
import { matchesFilter } from './match-filter.ts';
import { parseFilter, parsePath } from './parse-filter.ts';

const refusedWith = (id: string) => (error: unknown) => error instanceof Refusal && error.id === id;

describe('a filter', () => {
  test('compares attributes, whatever their case and with or without their schema', () => {
    const expected = { kind: 'compare', attribute: 'username', comparison: 'eq', value: 'a@b.test' };
    for (const text of [
      'userName eq "a@b.test"',
      'USERNAME EQ "a@b.test"',
      '  userName   eq "a@b.test" ',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a@b.test"',
    ])
      assert.deepEqual(parseFilter(text), expected, text);
    assert.deepEqual(parseFilter('name.givenName sw "A"'), {
      kind: 'compare',
      attribute: 'name.givenname',
      comparison: 'sw',
      value: 'A',
    });
  });

  test('has values of JSON: texts with escapes, numbers, booleans and null', () => {
    const parseValue = (text: string) => (parseFilter(`a eq ${text}`) as { value: unknown }).value;
    assert.deepEqual(['"say \\"hi\\" \\u00e9"', '-1.5', 'True', 'false', 'null'].map(parseValue), [
      'say "hi" é',
      -1.5,
      true,
      false,
      null,
    ]);
  });

  test('joins with "and" before "or", and brackets go first', () => {
    const getShape = (text: string): unknown => {
      const shape = (filter: ReturnType<typeof parseFilter>): unknown => {
        if (filter.kind === 'and' || filter.kind === 'or') return [filter.kind, ...filter.filters.map(shape)];
        if (filter.kind === 'not') return ['not', shape(filter.filter)];
        return 'attribute' in filter ? filter.attribute : '';
      };
      return shape(parseFilter(text));
    };
    assert.deepEqual(getShape('a pr or b pr and c pr'), ['or', 'a', ['and', 'b', 'c']]);
    assert.deepEqual(getShape('(a pr or b pr) and not (c pr)'), ['and', ['or', 'a', 'b'], ['not', 'c']]);
  });

  test('can be about one value of an attribute', () => {
    const filter = parseFilter('emails[type eq "work" and value co "@a.test"]');
    assert.equal(filter.kind === 'some' && filter.attribute, 'emails');
    assert.deepEqual(
      parseFilter('emails[type eq "work"].value eq "a@b.test"'),
      parseFilter('emails[type eq "work" and value eq "a@b.test"]'),
    );
  });

  test('that is not valid is refused', () => {
    const deep = `${'('.repeat(40)}a pr${')'.repeat(40)}`;
    const long = Array(30).fill('a pr').join(' or ');
    for (const text of [
      ...[
        '__proto__ pr',
        'a.__proto__ pr',
        '',
        'a',
        'a eq',
        'a is "b"',
        'a eq b',
        'a eq "b',
        'a eq "b" and',
        '(a pr',
        'a pr)',
        'not a pr',
        'a eq "\\x"',
      ],
      ...['a[b pr', 'a[]', '.a pr', `a eq "${'x'.repeat(3_000)}"`, '; drop table people', 'a eq "b"; --', deep, long],
    ])
      assert.throws(() => parseFilter(text), refusedWith('scim.invalid_filter'), text);
  });

  test('of any text is parsed or refused, and never fails otherwise', () => {
    const words = fc.constantFrom('a', 'eq', '"b"', 'and', 'or', 'not', '(', ')', '[', ']', 'pr', '1', '.', 'urn:x:y');
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (any) => {
        for (const parse of [parseFilter, parsePath])
          try {
            parse(any);
          } catch (error) {
            assert.ok(error instanceof Refusal, String(error));
          }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a path', () => {
  test('names an attribute, a part of it, or the values that match', () => {
    assert.deepEqual(parsePath('active'), { attribute: 'active' });
    assert.deepEqual(parsePath('name.givenName'), { attribute: 'name', sub: 'givenname' });
    assert.deepEqual(parsePath('urn:ietf:params:scim:schemas:core:2.0:User:name.familyName'), {
      attribute: 'name',
      sub: 'familyname',
    });
    const { filter, ...rest } = parsePath('emails[type eq "work"].value');
    assert.deepEqual(rest, { attribute: 'emails', sub: 'value' });
    assert.deepEqual(filter, { kind: 'compare', attribute: 'type', comparison: 'eq', value: 'work' });
    assert.equal(parsePath('members[value eq "x"]').sub, undefined);
  });

  test('that is not valid is refused', () => {
    for (const text of [
      '__proto__.x',
      'name.__proto__',
      '',
      '.',
      'a.',
      'a b',
      'a[',
      'a[b]',
      'a[b eq "c"',
      'a[b eq "c"]d',
      'a.b[c eq "d"]',
      '"a"',
    ])
      assert.throws(() => parsePath(text), refusedWith('scim.invalid_path'), text);
  });
});

test('a value matches by its own attributes, without case, and an absent boolean is false', () => {
  const email = { value: 'Ada@A.test', type: 'work' };
  const matches = (text: string) => matchesFilter(email, parseFilter(text));
  for (const text of ['type eq "WORK"', 'value sw "ada"', 'primary eq false', 'type ne "home"', 'not (display pr)'])
    assert.ok(matches(text), text);
  for (const text of ['type eq "home"', 'primary eq true', 'value ew "b.test"', 'constructor pr'])
    assert.ok(!matches(text), text);
});
