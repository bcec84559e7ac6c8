import assert from 'node:assert/strict';
import type { User } from '@steward/contract/users';
import Papa from 'papaparse';
import { describe, it } from 'vitest';
import { createUsersCsv } from './users.csv.ts';

function person(over: Partial<User>): User {
  return {
    id: 'a'.repeat(26),
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@example.com',
    status: 'offline',
    type: 2,
    roles: ['team_user'],
    account_type: 2,
    last_picture_update: 0,
    create_at: Date.UTC(2024, 1, 29, 23),
    update_at: Date.UTC(2025, 10, 3),
    delete_at: 0,
    apps: {},
    ...over,
  };
}

async function makeFile(...pages: User[][]): Promise<string[][]> {
  const csv = createUsersCsv();
  for (const page of pages) csv.add(page);
  const text = await (await csv.finish()).text();
  return Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
}

describe('the CSV file of users', () => {
  it('has the columns of the spec, the byte order mark and CRLF', async () => {
    const csv = createUsersCsv();
    csv.add([person({})]);
    const bytes = Buffer.from(await (await csv.finish()).arrayBuffer());
    assert.equal(
      bytes.toString('utf8'),
      '\uFEFFFirst Name,Last Name,Email,Account Type,CreateAt,UpdateAt\r\n' +
        'Ann,Lee,ann@example.com,Team User,02/29/2024,11/03/2025\r\n',
    );
  });

  it('writes only the header when there are no users', async () => {
    assert.equal((await makeFile()).length, 1);
  });

  it('writes the derived account kind', async () => {
    const rows = await makeFile([
      person({ roles: ['zendesk'] }),
      person({ roles: ['team_user', 'team_admin', 'team_owner'] }),
      person({ roles: ['team_user', 'team_admin'] }),
      person({ type: 1 }),
    ]);
    assert.deepEqual(
      rows.slice(1).map((row) => row[3]),
      ['Zendesk', 'Team Owner', 'Team Admin', 'Pending Invitee'],
    );
  });

  it('has a sorted column for every app that any user has, including apps that first appear on a later page', async () => {
    const rows = await makeFile(
      [person({ first_name: 'A', apps: { notes: true } }), person({ first_name: 'two\nlines, "B" ä😀' })],
      [person({ first_name: 'C', apps: { chat: true, notes: false } })],
      [person({ first_name: 'D', apps: { voice: true, toString: true } })],
    );
    assert.deepEqual(
      rows.map((row) => [row[0]?.replace('\uFEFF', ''), ...row.slice(6)]),
      [
        ['First Name', 'chat', 'notes', 'toString', 'voice'],
        ['A', '0', '1', '0', '0'],
        ['two\nlines, "B" ä😀', '0', '0', '0', '0'],
        ['C', '1', '0', '0', '0'],
        ['D', '0', '0', '1', '1'],
      ],
    );
  });

  it('neutralizes formulas in names, addresses and app names', async () => {
    const evil = person({ first_name: '=1+1', last_name: '@x', email: '-a@example.com', apps: { '=app': true } });
    const rows = await makeFile([evil]);
    assert.deepEqual(rows[1], ["'=1+1", "'@x", "'-a@example.com", 'Team User', '02/29/2024', '11/03/2025', '1']);
    assert.equal(rows[0]?.[6], "'=app");
  });
});
