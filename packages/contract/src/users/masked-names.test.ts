import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isMaskedName } from './masked-names.ts';

test('a name is masked if every letter that Windows-1252 lacks is a question mark, and nothing else differs', () => {
  for (const [name, stored, expected] of [
    ['?ofia', 'Łofia', true],
    ['??', 'Łę', true],
    ['Ann ??', 'Ann 😀', true],
    ['Who?', 'Who?', false],
    ['Who? ?', 'Who? Ł', true],
    ['Zo?', 'Zoé', false],
    ['?ofia', 'Žofia', false],
    ['?Ofia', 'Łofia', false],
    ['?', 'Łę', false],
    ['', '', false],
    ['?', '', false],
  ] as const)
    assert.equal(isMaskedName(name, stored), expected, `${name} ${stored}`);
});
