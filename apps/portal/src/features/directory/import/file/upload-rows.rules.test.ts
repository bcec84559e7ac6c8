import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readHeader } from '#platform/csv/csv-header.ts';
import { COLUMNS, createRowReader, type FileRow } from './upload-rows.rules.ts';

const ID = '0001a2b3c4d5e6f7g8h9i0j1k2';

function getRows(header: string, ...rows: string[][]): FileRow[] {
  const shape = { columns: COLUMNS, required: 'Name', aside: ['error'], refusal: '', trouble: '' };
  const read = createRowReader(readHeader(header.split(','), shape));
  return rows.map((cells, at) => read({ line: at + 2, cells }));
}

function getErrors(header: string, ...rows: string[][]): (string | undefined)[] {
  return getRows(header, ...rows).map(({ fault }) => fault);
}

describe('a row of the file', () => {
  it('always has every field as text, from wherever its column stands', () => {
    assert.deepEqual(getRows('Email,Notes,Name', ['a@example.test', 'x', 'Ann']), [
      { line: 2, row: { id: '', name: 'Ann', phone_number: '', sms: '', email: 'a@example.test' }, fault: undefined },
    ]);
  });

  it('loses our guards and nothing else', () => {
    const [given] = getRows('Id,Name,Phone Number,Sms,Email', ['', "'=1", " '=1 ", "'Ann", 'A@B.test ']);
    assert.deepEqual(given?.row, { id: '', name: '=1', phone_number: " '=1 ", sms: "'Ann", email: 'A@B.test ' });
  });

  it('with an id keeps the fields that have no column or no cell; an empty cell empties', () => {
    const keeps = getRows(
      'Name,Sms,Id',
      ['Ann', '1', ID],
      ['Ann', '', ` ${ID.replace('0', '9')}`],
      ['Ann', '1', ' '],
      ['Ann'],
    );
    assert.deepEqual(
      keeps.map(({ row }) => row.keep),
      [['phone_number', 'email'], ['phone_number', 'email'], undefined, undefined],
    );
    const short = getRows('Id,Name,Phone Number,Sms,Email', [ID], [ID, 'Ann', ''], [ID, 'Ann', '', '', '']);
    assert.deepEqual(
      short.map(({ row }) => row.keep),
      [['name', 'phone_number', 'sms', 'email'], ['sms', 'email'], undefined],
    );
  });
});

describe('a row that cannot be sent', () => {
  it('has text beside the columns, which is not lost', () => {
    assert.deepEqual(getErrors('Name,Sms,,', ['Ann', '1', '', ' '], ['Ann', '1', '', "'=Berlin ", 'Room 4', '']), [
      undefined,
      'This row has 5 cells where the header has 2: , =Berlin, Room 4',
    ]);
  });

  it('has a number that a spreadsheet has shortened', () => {
    const text = 'A spreadsheet has shortened this phone number; format the column as text and enter it again.';
    for (const number of ['4.91711E+11', '1,55512E+13', '5E+12', '-1.5e+10', ' 4.9E+11 ', '1E+100']) {
      assert.deepEqual(
        getErrors('Name,Phone Number,Sms', ['Ann', number, ''], ['Ann', '', number]),
        [text, text],
        number,
      );
    }
    for (const number of ['+4917112345678', '5E12', 'E+12', '12.5E+11', 'ext. 4E+11', '1E+1 or 2', '4.9E-11']) {
      assert.deepEqual(getErrors('Name,Phone Number', ['Ann', number]), [undefined], number);
    }
    assert.deepEqual(getErrors('Name,Email', ['4.91711E+11', '4.91711E+11']), [undefined]);
  });

  it('has a cell of more than 10,000 characters in a column of ours', () => {
    assert.deepEqual(
      getErrors('Name,Notes,Sms', ['x'.repeat(10_000), 'y'.repeat(10_001), ''], ['Ann', '', 'z'.repeat(10_001)]),
      [undefined, 'Sms has 10,001 characters here; a cell may have at most 10,000.'],
    );
  });

  it('has an id that another row of the file has', () => {
    const other = ID.replace('0', 'z');
    assert.deepEqual(getErrors('Id,Name', [ID, 'Ann'], ['', 'Bob'], [other, 'Cy'], [` ${ID} `, 'Dee'], ['', 'Eve']), [
      undefined,
      undefined,
      undefined,
      'This id stands in line 2 already. Leave Id empty to add a new entry.',
      undefined,
    ]);
  });
});
