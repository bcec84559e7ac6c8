import assert from 'node:assert/strict';
import { mapProfile } from '@steward/contract/users';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readHeader } from '#platform/csv/csv-schema.ts';
import { readCsv } from '#platform/csv/reader/csv-reader.ts';
import type { FileRow } from '#platform/upload/session/upload-file.ts';
import { aUser } from '#testing/a-user.ts';
import { createUsersCsv } from '../list/users.csv.ts';
import { toBody } from './import-calls.ts';
import { COLUMNS, createErrorCsv, createRowReader, openUsersFile, type UserFileRow } from './users-file.csv.ts';

const { signal } = new AbortController();

/** Files are opened as on the page, but without a worker. */
function open(content: BlobPart) {
  return openUsersFile(new File([content], 'users.csv'), { signal, open: readCsv });
}

async function readRows(content: BlobPart): Promise<FileRow<UserFileRow>[]> {
  const file = await open(content);
  return (await Array.fromAsync(file.batches(signal))).flatMap(({ rows }) => rows);
}

/** All columns but some. */
const listColumns = (key: 'name' | 'label', ...without: string[]) =>
  COLUMNS.filter(({ label }) => !without.includes(label)).map((column) => column[key]);

/** The texts include characters that spreadsheets and parsers treat specially. */
const anyName = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('=1+1', "'=1+1", '+49 30 901820', '@x', '-', "O'Neil", 'Comma, "Q"', 'two\nlines', '', 'sep=;'),
);

describe('a users file', () => {
  it('preserves every name, address and account type when the portal wrote it', async () => {
    const profile = fc.record(mapProfile(() => anyName));
    await fc.assert(
      fc.asyncProperty(fc.array(profile, { minLength: 1, maxLength: 20 }), async (texts) => {
        const csv = createUsersCsv();
        csv.add(texts.map((over, at) => aUser({ ...over, email: `-a${at}@example.test`, apps: { '=chat': true } })));
        const rows = await readRows(await csv.finish());
        assert.deepEqual(
          rows.map(({ row, fault }) => [row, fault]),
          texts.map((over, at) => [
            { ...over, email: `-a${at}@example.test`, account_type: 'Team User', end_date: '', keep: ['end_date'] },
            undefined,
          ]),
        );
      }),
      { numRuns: 70 },
    );
  });

  it('has account types that the server accepts, for every kind of user', async () => {
    const csv = createUsersCsv();
    csv.add([
      aUser({ email: 'a@x.test', roles: ['team_user', 'team_admin', 'team_owner'] }),
      aUser({ email: 'b@x.test', roles: ['team_user', 'team_admin'] }),
      aUser({ email: 'c@x.test', type: 1 }),
      aUser({ email: 'd@x.test', roles: ['zendesk'] }),
    ]);
    const rows = (await readRows(await csv.finish())).map(({ row }) => toBody(row));
    assert.deepEqual(
      rows.map(({ account_type }) => account_type),
      ['Team Owner', 'Team Admin', 'Pending Invitee', 'Zendesk'],
    );
  });

  it('requires only the column Email, in any case and order', async () => {
    const file = await open('Town;E-Mail;email\nKöln;x;ann@example.test\n');
    assert.deepEqual(
      [file.missing, file.ignored, file.delimiter],
      [listColumns('label', 'Email'), ['Town', 'E-Mail'], ';'],
    );
    await assert.rejects(open('First Name,Last Name\nAnn,Lee\n'), /downloading the users csv/);
    await assert.rejects(open('Email\n'), { hint: /no rows|only a header|nothing/i });
    await assert.rejects(open(''), { hint: 'The file is empty.' });
  });

  it('can have end dates, and an empty cell is not sent', async () => {
    const rows = await readRows('Email,End Date\nann@example.test,2027-03-31\nbob@example.test,\n');
    assert.deepEqual(
      rows.map(({ row }) => toBody(row)),
      [{ email: 'ann@example.test', ends_on: '2027-03-31' }, { email: 'bob@example.test' }],
    );
  });

  it('can be in UTF-16 or Windows-1252', async () => {
    const text = 'Email\tFirst Name\nz@example.test\tZoë\n';
    const [wide] = await readRows(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]));
    const [narrow] = await readRows(Buffer.from(text, 'latin1'));
    assert.deepEqual([wide?.row.first_name, narrow?.row.first_name], ['Zoë', 'Zoë']);
  });
});

describe('the error CSV of users', () => {
  it('can be imported again and leaves out the columns that the file lacks', async () => {
    const file = await open('Email,First Name\nwrong,=1\n');
    const csv = createErrorCsv(file.missing);
    for await (const { rows } of file.batches(signal))
      csv.add(rows.map(({ row }) => ({ row, error: 'Email is not an email address.' })));
    assert.equal(await csv.finish().text(), "First Name,Email,Error\r\n'=1,wrong,Email is not an email address.\r\n");
    const [again] = await readRows(csv.finish());
    assert.deepEqual(again?.row.keep, listColumns('name', 'Email', 'First Name'));
    assert.equal(again?.row.first_name, '=1');
  });
});

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
