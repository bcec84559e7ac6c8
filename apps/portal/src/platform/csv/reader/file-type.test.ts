import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { CsvError } from '../csv-schema.ts';
import { refuseWrongType } from './file-type.ts';

const SCHEMA = { invalidMessage: 'Provided input seems Invalid.' };

function refused(name: string, { type = '', head = 'Name' }: { type?: string; head?: string } = {}): string {
  try {
    refuseWrongType({ name, type }, Buffer.from(head, 'latin1'), SCHEMA);
    return '';
  } catch (thrown) {
    assert.ok(thrown instanceof CsvError);
    return `${thrown.message} ${thrown.hint}`;
  }
}

const zip = (first: string) => `PK\x03\x04${'\0'.repeat(26)}${first}`;

describe('the type of a file', () => {
  it('is accepted for text with any neutral name', () => {
    for (const name of ['a.csv', 'a.CSV', 'a.tsv', 'a.txt', 'people', 'export.2024', 'a.pdf.csv']) {
      assert.equal(refused(name), '', name);
    }
    assert.equal(refused('a.csv', { type: 'application/vnd.ms-excel' }), '');
    assert.equal(refused('people', { type: 'text/plain' }), '');
    assert.equal(refused('a.csv', { type: 'application/json' }), '');
  });

  it('is rejected by name or by MIME type', () => {
    assert.match(refused('photo.PNG'), /^photo\.PNG is not a CSV file\. Choose a file that ends in \.csv\.$/);
    assert.match(refused('people.docx'), /^people\.docx is not a CSV file\./);
    assert.match(refused('people', { type: 'image/heic' }), /^people is not a CSV file\./);
    for (const name of ['people.xlsx', 'people.xls']) {
      assert.match(refused(name), /In Excel, choose Save As and the type CSV UTF-8, then upload that file\.$/);
    }
  });

  it('of a .csv file is detected from its first bytes, and the message never suggests .csv', () => {
    for (const [head, kind] of [
      ['%PDF-1.7', 'a PDF document.'],
      ['\x89PNG\r\n', 'a picture (PNG).'],
      ['\xFF\xD8\xFF\xE0', 'a picture (JPEG).'],
      ['GIF89a', 'a picture (GIF).'],
      ['RIFF\x10\0\0\0WEBP', 'a picture (WebP).'],
      ['\0\0\0\x18ftypheic', 'a picture (HEIC or AVIF).'],
      ['BM\x36\0\x0C\0\0\0\0\0', 'a picture (BMP).'],
      ['II*\0', 'a picture (TIFF).'],
      ['\x1F\x8B\b', 'a GZIP archive.'],
      ['7z\xBC\xAF\x27\x1C', 'a 7-Zip archive.'],
      ['Rar!\x1A\x07', 'a RAR archive.'],
      [`${'\0'.repeat(257)}ustar`, 'a TAR archive.'],
      ['{\\rtf', 'an RTF document.'],
      [zip('photos/one.jpg'), 'a ZIP archive.'],
      ['PK\x05\x06', 'a ZIP archive.'],
      [
        zip('[Content_Types].xml'),
        'an Excel workbook. In Excel, choose Save As and the type CSV UTF-8, then upload that file.',
      ],
      [
        '\xD0\xCF\x11\xE0',
        'an Excel workbook. In Excel, choose Save As and the type CSV UTF-8, then upload that file.',
      ],
      [
        zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
        'an OpenDocument file. Save it as CSV UTF-8, then upload that file.',
      ],
    ] as const) {
      assert.equal(refused('people.csv', { head }), `${SCHEMA.invalidMessage} It seems to be ${kind}`);
    }
  });

  it('of text is accepted whatever it starts with', () => {
    for (const head of ['BMI,Name', 'PKZ,Name', 'II,Name', 'GIF,Name', 'Rar,Name', '7z,Name']) {
      assert.equal(refused('people.csv', { head }), '', head);
    }
  });
});
