import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CsvError } from '../csv-error.ts';
import { refuseWrongType } from './csv-type.ts';

function refused(name: string, { type = '', head = 'Name' }: { type?: string; head?: string } = {}): string {
  try {
    refuseWrongType({ name, type }, Buffer.from(head, 'latin1'));
    return '';
  } catch (thrown) {
    assert.ok(thrown instanceof CsvError);
    return `${thrown.message} ${thrown.hint}`;
  }
}

describe('the type of a file', () => {
  it('is right for text under any name that does not say otherwise', () => {
    for (const name of ['a.csv', 'a.CSV', 'a.tsv', 'a.txt', 'people', 'export.2024', 'a.pdf.csv']) {
      assert.equal(refused(name), '', name);
    }
    assert.equal(refused('a.csv', { type: 'application/vnd.ms-excel' }), '');
    assert.equal(refused('people', { type: 'text/plain' }), '');
    assert.equal(refused('a.csv', { type: 'application/json' }), '');
  });

  it('is wrong by the name, by what the system says, or by the first bytes', () => {
    assert.match(refused('photo.PNG'), /^photo\.PNG is not a CSV file\./);
    assert.match(refused('people.docx'), /^people\.docx is not a CSV file\./);
    assert.match(refused('people', { type: 'image/heic' }), /^people is not a CSV file\./);
    for (const head of ['%PDF-1.7', '\x89PNG\r\n', '\xFF\xD8\xFF\xE0', 'GIF89a', '\x1F\x8B\b', '{\\rtf1']) {
      assert.match(refused('people.csv', { head }), /^people\.csv is not a CSV file\./, head);
    }
  });

  it('of a workbook is told with the way out', () => {
    for (const [name, head] of [
      ['people.xlsx', ''],
      ['people.xls', 'Name'],
      ['people.csv', 'PK\x03\x04'],
      ['people.csv', '\xD0\xCF\x11\xE0'],
    ] as const) {
      assert.match(refused(name, { head }), /In Excel choose Save As and the type CSV UTF-8, then upload that file\.$/);
    }
  });
});
