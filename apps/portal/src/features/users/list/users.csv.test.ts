import assert from 'node:assert/strict';
import type { User } from '@steward/contract/users';
import Papa from 'papaparse';
import { describe, it } from 'vitest';
import { aUser } from '#testing/a-user.ts';
import { createUsersCsv } from './users.csv.ts';

const person = (fields: Partial<User>) =>
  aUser({ create_at: Date.UTC(2024, 1, 29, 23), update_at: Date.UTC(2025, 10, 3), ...fields });

/** The rows by the names of their columns. */
async function makeFile(...pages: User[][]): Promise<Papa.ParseResult<Record<string, string>>> {
  const csv = createUsersCsv();
  for (const page of pages) csv.add(page);
  return Papa.parse(await (await csv.finish()).text(), { header: true, skipEmptyLines: true });
}

describe('the CSV file of users', () => {
  it('has the columns of the spec, the byte order mark and CRLF', async () => {
    const csv = createUsersCsv();
    csv.add([person({})]);
    const bytes = Buffer.from(await (await csv.finish()).arrayBuffer());
    assert.equal(
      bytes.toString('utf8'),
      '\uFEFFFirst Name,Last Name,Email,Account Type,CreateAt,UpdateAt\r\n' +
        'Ann,Lee,ann@example.test,Team User,02/29/2024,11/03/2025\r\n',
    );
  });

  it('writes only the header when there are no users', async () => {
    const { data, meta } = await makeFile();
    assert.deepEqual(data, []);
    assert.ok(meta.fields?.includes('Email'));
  });

  it('writes the derived account kind', async () => {
    const { data } = await makeFile([
      person({ roles: ['zendesk'] }),
      person({ roles: ['team_user', 'team_admin', 'team_owner'] }),
      person({ roles: ['team_user', 'team_admin'] }),
      person({ type: 1 }),
    ]);
    assert.deepEqual(
      data.map((row) => row['Account Type']),
      ['Zendesk', 'Team Owner', 'Team Admin', 'Pending Invitee'],
    );
  });

  it('has a sorted column for every app that any user has, including apps that first appear on a later page', async () => {
    const { data, meta } = await makeFile(
      [person({ first_name: 'A', apps: { notes: true } }), person({ first_name: 'two\nlines, "B" ä😀' })],
      [person({ first_name: 'C', apps: { chat: true, notes: false } })],
      [person({ first_name: 'D', apps: { voice: true, toString: true } })],
    );
    const apps = ['chat', 'notes', 'toString', 'voice'];
    assert.deepEqual(meta.fields?.slice(-apps.length), apps);
    assert.deepEqual(
      data.map((row) => ['First Name', ...apps].map((name) => row[name])),
      [
        ['A', '0', '1', '0', '0'],
        ['two\nlines, "B" ä😀', '0', '0', '0', '0'],
        ['C', '1', '0', '0', '0'],
        ['D', '0', '0', '1', '1'],
      ],
    );
  });

  it('neutralizes formulas in names, addresses and app names', async () => {
    const evil = person({ first_name: '=1+1', last_name: '@x', email: '-a@example.test', apps: { '=app': true } });
    const { data } = await makeFile([evil]);
    assert.partialDeepStrictEqual(data, [
      { 'First Name': "'=1+1", 'Last Name': "'@x", Email: "'-a@example.test", "'=app": '1' },
    ]);
  });
});
