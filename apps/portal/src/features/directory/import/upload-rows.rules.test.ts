import assert from 'node:assert/strict';
import type { UploadRow } from '@steward/contract/directory';
import { describe, it } from 'vitest';
import { readHeader } from '#platform/csv/csv-schema.ts';
import type { FileRow } from '#platform/upload/session/upload-file.ts';
import { COLUMNS, createRowReader } from './upload-rows.rules.ts';

const ID = '0001a2b3c4d5e6f7g8h9i0j1k2';

function getRows(header: string, ...rows: string[][]): FileRow<UploadRow>[] {
  const schema = { columns: COLUMNS, required: 'Name', unused: ['error'], invalidMessage: '', errorMessage: '' };
  const read = createRowReader(readHeader(header.split(','), schema));
  return rows.map((cells, at) => read({ line: at + 2, cells }));
}

function getErrors(header: string, ...rows: string[][]): (string | undefined)[] {
  return getRows(header, ...rows).map(({ fault }) => fault);
}

describe('a row of the file', () => {
  it('has every field as text, in any order of columns', () => {
    assert.deepEqual(getRows('Email,Notes,Name', ['a@example.test', 'x', 'Ann']), [
      {
        line: 2,
        row: { id: '', name: 'Ann', phone_number: '', sms: '', email: 'a@example.test', keep: ['phone_number', 'sms'] },
        fault: undefined,
      },
    ]);
  });

  it('loses only the guards that we wrote', () => {
    const [given] = getRows('Id,Name,Phone Number,Sms,Email', ['', "'=1", " '=1 ", "'Ann", 'A@B.test ']);
    assert.deepEqual(given?.row, { id: '', name: '=1', phone_number: " '=1 ", sms: "'Ann", email: 'A@B.test ' });
  });

  it('keeps fields without a column or cell and clears those with an empty cell', () => {
    const keeps = getRows(
      'Name,Sms,Id',
      ['Ann', '1', ID],
      ['Ann', '', ` ${ID.replace('0', '9')}`],
      ['Ann', '1', ' '],
      ['Ann'],
    );
    assert.deepEqual(
      keeps.map(({ row }) => row.keep),
      [
        ['phone_number', 'email'],
        ['phone_number', 'email'],
        ['phone_number', 'email'],
        ['phone_number', 'sms', 'email'],
      ],
    );
    const short = getRows('Id,Name,Phone Number,Sms,Email', [ID], [ID, 'Ann', ''], [ID, 'Ann', '', '', '']);
    assert.deepEqual(
      short.map(({ row }) => row.keep),
      [['name', 'phone_number', 'sms', 'email'], ['sms', 'email'], undefined],
    );
  });
});

describe('a row that cannot be sent', () => {
  it('has text beyond the columns, which is not lost', () => {
    assert.deepEqual(getErrors('Name,Sms,,', ['Ann', '1', '', ' '], ['Ann', '1', '', "'=Berlin ", 'Room 4', '']), [
      undefined,
      'This row has 5 cells where the header has 2: , =Berlin, Room 4',
    ]);
  });

  it('has a cell of more than 10,000 characters in one of our columns', () => {
    assert.deepEqual(
      getErrors('Name,Notes,Sms', ['x'.repeat(10_000), 'y'.repeat(10_001), ''], ['Ann', '', 'z'.repeat(10_001)]),
      [undefined, 'Sms has 10,001 characters here; a cell may have at most 10,000.'],
    );
  });

  it('has the id of another row of the file', () => {
    const other = ID.replace('0', 'z');
    assert.deepEqual(getErrors('Id,Name', [ID, 'Ann'], ['', 'Bob'], [other, 'Cy'], [` ${ID} `, 'Dee'], ['', 'Eve']), [
      undefined,
      undefined,
      undefined,
      'Duplicate Id: already used in line 2. Leave Id empty to add a new entry.',
      undefined,
    ]);
  });
});
