import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readHeader } from '#platform/csv/csv-schema.ts';
import type { FileRow } from '#platform/upload/session/upload-file.ts';
import { toBody } from './import-calls.ts';
import { COLUMNS, createRowReader, type UserFileRow } from './user-rows.rules.ts';

function getRows(header: string, ...rows: string[][]): FileRow<UserFileRow>[] {
  const schema = { columns: COLUMNS, required: 'Email', unused: ['error'], invalidMessage: '', errorMessage: '' };
  const read = createRowReader(readHeader(header.split(','), schema));
  return rows.map((cells, at) => read({ line: at + 2, cells }));
}

const ALL = 'First Name,Last Name,Email,Account Type';
const getFaults = (header: string, ...rows: string[][]) => getRows(header, ...rows).map(({ fault }) => fault);

describe('a row of a users file', () => {
  it('sends only the cells of the file: a missing cell keeps the name, and an empty one clears it', () => {
    const [row, short, empty] = getRows(
      ALL,
      ['Ann', 'Lee', 'ann@example.test', 'Team Admin'],
      ['Bob', '', 'bob@example.test'],
      ['', '', 'cy@example.test', ' '],
    ).map((read) => toBody(read.row));
    assert.deepEqual(row, {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.test',
      account_type: 'Team Admin',
    });
    assert.deepEqual(short, { first_name: 'Bob', last_name: '', email: 'bob@example.test' });
    assert.deepEqual(empty, { first_name: '', last_name: '', email: 'cy@example.test' });
    const [alone] = getRows('Email', ['dee@example.test']).map((read) => toBody(read.row));
    assert.deepEqual(alone, { email: 'dee@example.test' });
    assert.deepEqual(
      getRows('First Name,Email', ['Ann']).map((read) => toBody(read.row)),
      [{ first_name: 'Ann', email: '' }],
    );
  });

  it('is an error with the number of the earlier line if its address is repeated', () => {
    assert.deepEqual(getFaults('Email', ['ann@example.test'], ['bob@example.test'], [' ANN@example.test '], ['']), [
      undefined,
      undefined,
      'This address is already in line 2.',
      undefined,
    ]);
  });

  it('is an error if it has more cells than the header, or a huge cell', () => {
    assert.match(getFaults('Email', ['a@example.test', 'x'])[0] ?? '', /^This row has 2 cells .* 1: x$/);
    assert.match(
      getFaults(ALL, ['x'.repeat(10_001), '', 'a@x.test', ''])[0] ?? '',
      /^First Name has 10,001 characters/,
    );
  });
});
