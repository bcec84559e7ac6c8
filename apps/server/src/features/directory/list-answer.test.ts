import assert from 'node:assert/strict';
import { type Entry, listEntries } from '@steward/contract/directory';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { entries } from '#testing/workspace/directory.ts';
import { type SignedInUser, signedIn, team } from '#testing/workspace/factories.ts';

// These tests compare the entries of the list with the rows of the table.

const TEXTS = [
  '"quoted" \\ back/slash',
  '\\"',
  '\\\\n',
  'Zoë Ñandú',
  '漢字 かな',
  '👩‍👩‍👧 😀',
  '\u2028',
  '{"a":1},',
  "'$1'",
];
const WITH_CONTROLS = ['\u0001', '\t', '\v', '\u001f', '\r', 'tab\tand\nnewline', ',\n'];

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

interface Directory {
  teamId: string;
  admin: SignedInUser;
}

async function createDirectory(names: readonly string[]): Promise<Directory> {
  const teamId = await team(node);
  const admin = await signedIn(node, { team: teamId, kind: 'admin' });
  const rows = names.map((name, at) => ({ name, email: `${name}@${at}`, phone_number: name, sms: `${at}` }));
  if (rows.length > 0) await entries(node, teamId, rows);
  return { teamId, admin };
}

async function list({ teamId, admin }: Directory, query: Sending['query'] = {}) {
  const { status, body, text } = await call(node, listEntries, { as: admin, params: { teamId }, query });
  assert.equal(status, 200, text);
  assert.deepEqual(listEntries.answer.parse(body), body);
  return body as { records: Entry[]; last_key: string | null; reset?: boolean };
}

function expectedEntries({ teamId }: Directory) {
  const columns = ['id', 'name', 'phone_number', 'sms', 'email', 'user_id', 'last_picture_update'] as const;
  return node.db
    .selectFrom('directory_entries')
    .select(columns)
    .where('team_id', '=', teamId)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
}

async function listAll(directory: Directory): Promise<Entry[][]> {
  const pages: Entry[][] = [];
  for (let last_key: string | null = ''; last_key !== null; ) {
    const page = await list(directory, last_key === '' ? {} : { last_key });
    assert.equal(page.reset, pages.length === 0 ? true : undefined);
    pages.push(page.records);
    last_key = page.last_key;
  }
  return pages;
}

describe('a usual page of the directory', () => {
  for (const [title, names] of [
    ['with quotes, backslashes and letters beyond ASCII', TEXTS],
    ['with many control characters', [...TEXTS, ...WITH_CONTROLS]],
    ...WITH_CONTROLS.map((text) => [`with ${JSON.stringify(text)}`, ['a', text, 'z']] as const),
    ['of one entry', ['Reception']],
    ['of no entry', []],
  ] as const)
    test(`${title} is what the table holds`, async () => {
      const directory = await createDirectory(names);
      assert.deepEqual(await listAll(directory), [await expectedEntries(directory)]);
    });

  for (const count of [99, 100, 101, 200, 201, 250])
    test(`of ${count} entries is followed by the others, each once`, async () => {
      // With different names, and with equal ones, where only the id determines the end of a page.
      for (const names of [count, 3]) {
        const directory = await createDirectory(Array.from({ length: count }, (_, at) => `Name ${at % names}`));
        const pages = await listAll(directory);
        assert.deepEqual(pages.flat(), await expectedEntries(directory));
        assert.equal(pages.length, Math.ceil(count / 100));
        assert.ok(pages.slice(0, -1).every(({ length }) => length === 100));
      }
    });

  test('continues after a name with a control character', async () => {
    const directory = await createDirectory(
      Array.from({ length: 150 }, (_, at) => `Line\n${String(at).padStart(3, '0')}`),
    );
    assert.deepEqual((await listAll(directory)).flat(), await expectedEntries(directory));
  });
});
