import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, before, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { createPool } from '#platform/database/database.ts';
import { createStatement, readTogether } from '#platform/database/statements/statement.ts';
import { type TestDatabase, testDatabase } from '#testing/database/template-database.ts';
import { toBody } from './json-rows.ts';
import { type Column, createRecords, type Records } from './records.ts';
import { createRowFormat } from './selected-records.ts';

const reply = { type: () => reply, raw: new EventEmitter() } as unknown as FastifyReply;
const COLUMNS: Column[] = [
  { name: 'key', as: 'unsent' },
  { name: 'id', as: 'text' },
  { name: 'note', as: 'text' },
  { name: 'value', as: 'json' },
];

interface Row {
  key: string | null;
  id: string;
  note: string | null;
  value: unknown;
}

const one = createStatement((_: object) => sql<{ one: number }>`select 1 as one`);
const select = createStatement(
  ({ keys, ids, notes, values }: { keys: string[]; ids: string[]; notes: string[]; values: string[] }) =>
    sql<Row>`select nullif(key, '') as key, id, nullif(note, '') as note, nullif(value, '')::jsonb as value
      from unnest(${keys}::text[], ${ids}::text[], ${notes}::text[], ${values}::text[]) as rows (key, id, note, value)`,
);

/** Every ASCII character that PostgreSQL stores, and others of two, three and four bytes. */
const ODD = [
  Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1)).join(''),
  '\\',
  '\\\\t',
  '"',
  ',\n',
  'ñandú',
  '漢字\u2028',
  '👩‍👩‍👧 😀',
  'x'.repeat(100_000),
  '\u0001'.repeat(30_000),
];

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

before(async () => {
  database = await testDatabase();
  pool = createPool(database.connection, { max: 1, name: 'test' });
});

after(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

async function read(rows: readonly Row[], limit: number) {
  const records: Records = createRecords(createRowFormat(COLUMNS, ['note', 'id', 'key']), { limit, size: 1_000 });
  const values = {
    keys: rows.map(({ key }) => key ?? ''),
    ids: rows.map(({ id }) => id),
    notes: rows.map(({ note }) => note ?? ''),
    values: rows.map(({ value }) => (value === null ? '' : JSON.stringify(value))),
  };
  const statement = select.bindValues(values);
  // Prepares it on the connection.
  await readTogether(pool, one.bindValues({}), statement);
  const [, left] = await readTogether(pool, one.bindValues({}), { ...statement, take: records.take });
  assert.deepEqual(left, []);
  const page = records.finish();
  const body = (toBody({ records: page.records }, reply) as Buffer).toString('utf8');
  return { ...page, records: JSON.parse(body).records };
}

const shown = ({ id, note, value }: Row) => ({ id, note, value });

test('rows keep every character, number and object, and null', async () => {
  const rows = ODD.map(
    (id): Row => ({ key: 'k', id, note: id, value: { [id.slice(0, 200)]: [9007199254740991, null] } }),
  );
  rows.push({ key: null, id: '', note: null, value: null });
  const page = await read(rows, 100);
  assert.deepEqual(page.records, rows.map(shown));
  assert.equal(page.count, rows.length);
});

test('a further row is left out, and the last record tells where the next page starts', async () => {
  const rows = ['a', 'b"\\', 'c'].map((id): Row => ({ key: `${id}-ñ\n`, id, note: null, value: 1 }));
  const page = await read(rows, 2);
  assert.deepEqual(page.records, rows.slice(0, 2).map(shown));
  assert.deepEqual(page.last, ['', 'b"\\', 'b"\\-ñ\n']);
  assert.equal((await read(rows, 3)).last, undefined);
});

test('no rows are an empty page', async () => {
  assert.deepEqual(await read([], 2), { records: [], count: 0, last: undefined });
});
