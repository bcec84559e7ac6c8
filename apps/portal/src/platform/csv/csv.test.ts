import assert from 'node:assert/strict';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, it } from 'vitest';
import { csvDate, guardCell, unguardCell, writeCsvRow } from './csv.ts';

const DANGEROUS = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\p{Cc}]/u;
/** Cells consist mostly of special characters, so that random ones reach the edge cases. */
const trickyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'\'=+-@"\t\r\n\0, 0189()ä＝') }),
  fc.string({ unit: 'binary' }),
);

describe('guarding a cell', () => {
  for (const cell of [
    '=1+1',
    '+1+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '\0',
    '\u0085',
    '＝1',
    "+1+cmd|' /C calc'!A0",
    '+15551234567 x',
    '+15551234567 x(1)',
    '+15551234567-x89',
    '+15551234567 ext 89+1',
    '+15551234567 sum 89',
  ]) {
    it(`puts a quote before ${JSON.stringify(cell)}`, () => assert.equal(guardCell(cell), `'${cell}`));
  }

  for (const cell of [
    '',
    'Ann',
    "O'Neil",
    "'quoted'",
    ' =1',
    '0',
    '+15551234567',
    '+1 (555) 123-4567',
    '+49 30 901820',
    '+1 555 123-4567 x89',
    '+1 (555) 123-4567 ext. 89',
    '+15551234567, Ext 89',
    '+15551234567 extension: 89',
    '+49 30 901820 #12',
    '+15551234567;ext=89',
  ]) {
    it(`leaves ${JSON.stringify(cell)} alone`, () => assert.equal(guardCell(cell), cell));
  }

  it('no cell except a phone number begins with a character that a spreadsheet would run', () => {
    fc.assert(
      fc.property(trickyCell, (cell) => {
        const guarded = guardCell(cell);
        assert.ok(!DANGEROUS.test(guarded) || /^\+[\d ().-]+$/.test(guarded));
      }),
    );
  });

  it('is undone exactly by unguarding, also for cells that look guarded already', () => {
    assert.equal(unguardCell(guardCell("'=1")), "'=1");
    assert.equal(unguardCell(guardCell("''+15551234567")), "''+15551234567");
    fc.assert(fc.property(trickyCell, (cell) => assert.equal(unguardCell(guardCell(cell)), cell)));
  });

  it('does not remove a quote that was never a guard', () => {
    for (const cell of ["'", "'Ann", "''", "'5"]) assert.equal(unguardCell(cell), cell);
  });
});

describe('writing a row', () => {
  it('quotes cells where RFC 4180 requires it and ends with CRLF', () => {
    assert.equal(writeCsvRow(['a', 'b,c', 'say "x"', 'two\nlines', '']), 'a,"b,c","say ""x""","two\nlines",\r\n');
  });

  it('another reader returns the same cells', () => {
    const rows = fc.array(fc.array(trickyCell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, (cells) => {
        const read = Papa.parse<string[]>(cells.map(writeCsvRow).join(''), { delimiter: ',', newline: '\r\n' }).data;
        assert.deepEqual(
          read.slice(0, -1).map((row) => row.map(unguardCell)),
          cells,
        );
      }),
    );
  });
});

describe('a date in a file', () => {
  it('is MM/DD/YYYY of the UTC day', () => {
    assert.equal(csvDate(Date.UTC(2024, 0, 5)), '01/05/2024');
    assert.equal(csvDate(Date.UTC(2023, 11, 31, 23, 59, 59, 999)), '12/31/2023');
  });

  it('is empty when there is no instant', () => {
    for (const instant of [0, Number.NaN, Number.POSITIVE_INFINITY, 9e15]) assert.equal(csvDate(instant), '');
  });
});
