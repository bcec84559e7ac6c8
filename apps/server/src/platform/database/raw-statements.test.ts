import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { describeStatement, type ResultColumn } from '#testing/sql/describe-statement.ts';
import { collectRawStatements, type RawStatement } from '#testing/sql/raw-statements.ts';

/** JavaScript type of a PostgreSQL type, by object id. */
const KINDS: Record<number, string> = {
  16: 'boolean',
  17: 'Buffer',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  700: 'number',
  701: 'number',
  1007: 'number[]',
  1009: 'string[]',
  1043: 'string',
  1184: 'Date',
};
const JSON_TYPES = [114, 3802];
const WRITTEN_AT_RUN_TIME = [
  // Filling a workspace drops indexes and creates them again with the text that the database answered.
  ...new Array(3).fill('apps/server/src/operator/fill/fill.store.ts'),
  // The name of the role is given to the command; its drill runs them.
  ...new Array(8).fill('apps/server/src/operator/maintenance/database-role.store.ts'),
  // With the condition of the holds that there are; the tests of holds and of foresight run them for every kind.
  'apps/server/src/features/retention/holds/held-rows.store.ts',
  ...new Array(3).fill('apps/server/src/workspace/content/archive.store.ts'),
  'apps/server/src/workspace/content/expiry.store.ts',
  'apps/server/src/workspace/content/files.store.ts',
  'apps/server/src/workspace/content/messages.store.ts',
  'apps/server/src/workspace/content/records.store.ts',
  ...new Array(3).fill('apps/server/src/workspace/holds/held-items.store.ts'),
  // With the condition of a filter; the tests of its lists run them for every operator and attribute.
  ...new Array(4).fill('apps/server/src/features/scim/users/users.store.ts'),
  // For the table and the date of a kind; the tests of retention foresight run them for every kind.
  ...new Array(6).fill('apps/server/src/workspace/content/foresight.store.ts'),
];

const { statements, unread } = collectRawStatements();
let node: TestApp;
let client: pg.Client;

before(async () => {
  node = await startApp({ work: false, pool: 1 });
  client = new pg.Client(node.database.connection);
  await client.connect();
});

after(async () => {
  await client.end();
  await node[Symbol.asyncDispose]();
});

function compareRow({ row }: RawStatement, columns: readonly ResultColumn[]): string[] {
  if (row === undefined) return [];
  const found = new Map(columns.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const extra = [...found.keys()].filter((name) => !row.has(name));
  const different = [...row].filter(([name, { kind, optional }]) => {
    const type = found.get(name);
    if (type === undefined) return !optional;
    return !JSON_TYPES.includes(type) && KINDS[type] !== kind;
  });
  return [
    ...extra.map((name) => `the result has ${name}, the row type doesn't`),
    ...different.map(([name, { kind }]) => `${name} is ${kind} in the row type, ${found.get(name)} in the result`),
  ];
}

async function findProblems(statement: RawStatement): Promise<string[]> {
  const problems: string[] = [];
  for (const text of statement.texts) {
    try {
      problems.push(...compareRow(statement, await describeStatement(client, text)));
    } catch (error) {
      problems.push(`${(error as Error).message} in ${text}`);
    }
  }
  return [...new Set(problems)].map((problem) => `${statement.place}: ${problem}`);
}

async function findAllProblems(): Promise<string[]> {
  const problems: string[] = [];
  for (const statement of statements) problems.push(...(await findProblems(statement)));
  return problems;
}

test('every raw statement can be read from the source, except those composed at run time', () => {
  assert.ok(statements.length > 50, `${statements.length} statements`);
  const files = unread.map((place) => place.replace(/:\d+$/, ''));
  assert.deepEqual(files.sort(), WRITTEN_AT_RUN_TIME.toSorted());
});

test('PostgreSQL accepts every raw statement, and its result columns match its row type', async () => {
  assert.deepEqual(await findAllProblems(), []);
});

test('a renamed column is detected', async () => {
  await sql`alter table service_tokens rename column token_hash to hash`.execute(node.db);
  const problems = await findAllProblems();
  assert.match(problems.join('\n'), /tokens\.store\.ts:\d+: column "?token_hash"? .*does not exist/);
});

test('missing, unknown and different columns are detected', async () => {
  const field = { kind: 'string', optional: false, nullable: false };
  const row = new Map([
    ['id', field],
    ['count', field],
  ]);
  const problems = await findProblems({ place: 'here', texts: ['select count(*) as count, 1 as more'], row });
  assert.deepEqual(problems, [
    "here: the result has more, the row type doesn't",
    'here: id is string in the row type, undefined in the result',
    'here: count is string in the row type, 20 in the result',
  ]);
});
