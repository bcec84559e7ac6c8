// docs/threat-model.md lists the attacks on company sign-in, each with a test that names its case.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const root = join(import.meta.dirname, '../../../../..');
const CASES = 31;

const rows = [
  ...readFileSync(join(root, 'docs/threat-model.md'), 'utf8').matchAll(/^\| (\d+) \|.*\| `(\S+\.test\.ts)` \|$/gm),
].map(([, number, file = '']) => ({ number: Number(number), file }));

test('every case of the attacks on company sign-in is listed once', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: CASES }, (_, nth) => nth + 1),
  );
});

for (const { number, file } of rows)
  test(`case ${number} is in the title of a test of the file that is named for it`, () => {
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*test\((['"`])(.+?)\1,/gm)];
    assert.ok(
      titles.some(([, , title = '']) => new RegExp(`\\bcase ${number}\\b`).test(title)),
      file,
    );
  });

const document = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
const named = [...document.matchAll(/^\|.*\| “(.+)” \| `(\S+\.test\.ts)` \|$/gm)];

test('attacks on availability and with held requests name their tests', () => assert.ok(named.length >= 16));

for (const [, title = '', file = ''] of named)
  test(`“${title}” is the title of a test of the file that is named for it`, () =>
    assert.ok(readFileSync(join(root, file), 'utf8').includes(title), file));
