import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPastedAddresses } from './pasted-addresses.ts';

const emails = (text: string) => readPastedAddresses(text).people.map(({ email }) => email);
const names = (text: string) =>
  readPastedAddresses(text).people.map(({ email, first_name, last_name }) => [email, first_name, last_name]);

test('addresses can be separated by any usual separator', () => {
  const all = ['a@x.test', 'b@x.test', 'c@x.test'];
  for (const separator of [', ', ',', ';', '; ', ' ', '\n', '\r\n', '\t', ' \n\n ', '\n- ', '\n• '])
    assert.deepEqual(emails(all.join(separator)), all, JSON.stringify(separator));
});

test('each address is read once, in any case', () => {
  assert.deepEqual(emails('A@x.test a@X.TEST\na@x.test'), ['a@x.test']);
});

test('names are read from text copied from email programs and spreadsheets', () => {
  assert.deepEqual(names('Ann Lee <ann@x.test>, "Ray, Bob" <bob@x.test>; Zoë <zoe@x.test>'), [
    ['ann@x.test', 'Ann', 'Lee'],
    ['bob@x.test', 'Bob', 'Ray'],
    ['zoe@x.test', 'Zoë', ''],
  ]);
  assert.deepEqual(names('"Maria del Mar Ruiz" <m@x.test>\n<plain@x.test>'), [
    ['m@x.test', 'Maria', 'del Mar Ruiz'],
    ['plain@x.test', '', ''],
  ]);
  assert.deepEqual(names('first@x.test Second Person <second@x.test>'), [
    ['first@x.test', '', ''],
    ['second@x.test', 'Second', 'Person'],
  ]);
});

test('characters around an address are removed', () => {
  assert.deepEqual(
    emails('mailto:a@x.test, (b@x.test), "c@x.test". d@x.test; \u200be@x.test\ufeff <mailto:f@x.test>'),
    ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test', 'f@x.test'],
  );
});

test('parts that are not addresses are listed', () => {
  const { people, rejected } = readPastedAddresses('a@x.test, nobody, b@, @c.test, Ann <>, d@x.test');
  assert.deepEqual(
    people.map(({ email }) => email),
    ['a@x.test', 'd@x.test'],
  );
  assert.deepEqual(rejected, ['nobody', 'b@', '@c.test', '']);
  assert.deepEqual(readPastedAddresses(' \n,; '), { people: [], rejected: [] });
});

test('a long text is read quickly', () => {
  const text = Array.from({ length: 20_000 }, (_, nth) => `Name ${nth} <n${nth}@x.test>`).join('\n');
  assert.equal(readPastedAddresses(text).people.length, 20_000);
  for (const bomb of ['<'.repeat(50_000), '"'.repeat(50_000), 'a '.repeat(50_000), `"${'a'.repeat(50_000)}`])
    assert.equal(readPastedAddresses(bomb).people.length, 0);
});
