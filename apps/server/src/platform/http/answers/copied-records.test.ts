import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { copyRows } from '../../database/copy.ts';
import { type CopiedList, createCopiedRecords } from './copied-records.ts';
import { toBody } from './json-rows.ts';
import type { Column, Records } from './records.ts';

const reply = { type: () => reply, raw: new EventEmitter() } as unknown as FastifyReply;
const COLUMNS: Column[] = [
  { name: 'kind', as: 'unsent' },
  { name: 'id', as: 'text' },
  { name: 'note', as: 'text' },
  { name: 'key', as: 'unsent' },
  { name: 'value', as: 'json' },
];
const LIST: CopiedList = {
  columns: COLUMNS,
  limit: 1000,
  kind: 1,
  describe: ([kind]) => (kind ? `"is":"${kind}"` : ''),
};

/** Gives a row as it arrives: with others around it. */
function take(copied: Records, row: string) {
  const bytes = Buffer.from(`before\t1\n${row}after\t2\n`);
  copied.take(bytes, 'before\t1\n'.length, bytes.length - 'after\t2\n'.length);
}

function read(rows: readonly string[], list: Partial<CopiedList> = {}) {
  const copied = createCopiedRecords({ ...LIST, ...list });
  for (const row of rows) take(copied, row);
  const page = copied.finish();
  const body = toBody({ records: page.records }, reply) as Buffer;
  return { ...page, records: JSON.parse(body.toString('utf8')).records };
}

/** Every ASCII character that PostgreSQL stores, and others of two, three and four bytes. */
const ODD = [
  Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1)).join(''),
  '\\N',
  '\\',
  '\\\\t',
  '"',
  '',
  'ñandú',
  '漢字\u2028',
  '👩‍👩‍👧 😀',
  'x'.repeat(700_000),
  '\u0001'.repeat(100_000),
];

describe('rows that COPY writes', () => {
  let node: TestApp;

  before(async () => {
    node = await startApp({ work: false });
  });

  after(() => node[Symbol.asyncDispose]());

  test('keep every character, number and object, and null', async () => {
    const copied = createCopiedRecords(LIST);
    const objects = ODD.map((text) =>
      JSON.stringify({ [text.slice(0, 200)]: [text.slice(0, 200), 9007199254740991, null] }),
    );
    await copyRows(
      node.db,
      sql`select '', id, case when id <> '' then id end, 'k', value::jsonb
        from unnest(${ODD}::text[], ${objects}::text[]) as rows (id, value)`,
      copied.take,
    );
    const body = toBody({ records: copied.finish().records }, reply) as Buffer;
    const expected = ODD.map((id, at) => ({ id, note: id === '' ? null : id, value: JSON.parse(objects[at] ?? '') }));
    assert.deepEqual(JSON.parse(body.toString('utf8')).records, expected);
  });

  test('that fail, in PostgreSQL or where they are taken, are reported, and the connection can be used again', async () => {
    const few = sql`select 1 / (n - 3000) from generate_series(1, 5000) n`;
    for (let time = 0; time < 20; time += 1) {
      await assert.rejects(
        copyRows(node.db, few, () => {}),
        { code: '22012' },
      );
      const thrower = () => {
        throw new Error('not this one');
      };
      await assert.rejects(copyRows(node.db, sql`select n from generate_series(1, 5000) n`, thrower), /not this one/);
      const rows: string[] = [];
      await copyRows(node.db, sql`select 1`, (bytes, start, end) => rows.push(bytes.toString('utf8', start, end)));
      assert.deepEqual(rows, ['1\n']);
    }
  });
});

test('the fields of a kind are added to each of its records', () => {
  const { records } = read(['a\t1\tn\tk\t1\n', 'b\t2\tn\tk\t2\n', '\t3\tn\tk\t3\n', 'a\t4\t\\N\tk\t\\N\n']);
  assert.deepEqual(records, [
    { id: '1', note: 'n', value: 1, is: 'a' },
    { id: '2', note: 'n', value: 2, is: 'b' },
    { id: '3', note: 'n', value: 3 },
    { id: '4', note: null, value: null, is: 'a' },
  ]);
});

test('a further row is left out, and the last record tells where the next page starts', () => {
  const rows = ['a\t1\tn\tk1\t1\n', 'a\t2\tn\\t\tk\\\\2\t2\n', 'a\t3\tn\tk3\t3\n'];
  const page = read(rows, { limit: 2 });
  assert.deepEqual([page.count, page.records.length], [2, 2]);
  assert.deepEqual(page.last, ['a', '2', 'n\t', 'k\\2', '2']);
  assert.deepEqual([read(rows, { limit: 3 }).last, read(rows, { limit: 3 }).count], [undefined, 3]);
});

test('no rows are an empty page, and pages that are read at the same time do not mix', () => {
  assert.deepEqual(read([]).records, []);
  const [left, right] = [createCopiedRecords(LIST), createCopiedRecords(LIST)];
  for (const at of [1, 2, 3]) {
    take(left, `l\t${at}\tn\tk\t${at}\n`);
    take(right, `r\t${at}\tn\tk\t${at}\n`);
  }
  const pages = [left, right].map((copied) =>
    (toBody({ records: copied.finish().records }, reply) as Buffer).toString(),
  );
  assert.deepEqual(
    pages.map((page) => JSON.parse(page).records.map(({ id, is }: { id: string; is: string }) => is + id)),
    [
      ['l1', 'l2', 'l3'],
      ['r1', 'r2', 'r3'],
    ],
  );
});
