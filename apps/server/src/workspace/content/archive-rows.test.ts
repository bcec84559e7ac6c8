import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  ARCHIVED_COLUMNS,
  type ArchivedRows,
  decodeRows,
  type RowTally,
  readRows,
  tallyRows,
  withoutRows,
} from './archive-rows.rules.ts';

const columns = ['size', 'id', 'external_id', 'blob', 'text'];
const LINES = ['7\ta\t\\N\tt/file/x\tone\n', '12\tb\tb\\\\1\\t\t\\N\ttwo\\nlines \\\\N\n', '0\tü\t\t\\N\t\\N\n'];
const archived: ArchivedRows = { columns, text: Buffer.from(LINES.join('')) };

async function* chunked(text: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

describe('rows in the text format of COPY', () => {
  test('are read with their escapes and missing values', () => {
    const rows = [...readRows(archived)].map(({ id, externalId, blob }) => ({ id, externalId, blob }));
    assert.deepEqual(rows, [
      { id: 'a', externalId: null, blob: 't/file/x' },
      { id: 'b', externalId: 'b\\1\t', blob: null },
      { id: 'ü', externalId: '', blob: null },
    ]);
    const texts = [...decodeRows(archived)].map(({ text }) => text);
    assert.deepEqual(texts, ['one', 'two\nlines \\N', null]);
  });

  test('lose those that are left out', () => {
    const [first, second, third] = [...readRows(archived)];
    assert.ok(first && second && third);
    const rest = (...left: (typeof first)[]) => withoutRows(archived, left).text.toString();
    assert.equal(rest(), LINES.join(''));
    assert.equal(rest(second), `${LINES[0]}${LINES[2]}`);
    assert.equal(rest(first, third), LINES[1]);
    assert.equal(rest(first, second, third), '');
  });

  test('are counted wherever their chunks end', async () => {
    for (let size = 1; size <= archived.text.length; size += 1) {
      const tally: RowTally = { count: 0, bytes: 0, blobs: [] };
      const passed: Buffer[] = [];
      for await (const chunk of tallyRows(chunked(archived.text, size), { hasBlob: true, tally })) passed.push(chunk);
      assert.deepEqual(tally, { count: 3, bytes: 19, blobs: ['t/file/x'] }, `chunks of ${size}`);
      assert.deepEqual(Buffer.concat(passed), archived.text);
    }
  });
});

describe('the columns of an archive', () => {
  let node: TestApp;

  beforeAll(async () => {
    node = await startApp({ work: false });
  });

  afterAll(() => node[Symbol.asyncDispose]());

  for (const [table, archivedColumns] of Object.entries(ARCHIVED_COLUMNS))
    test(`are all of ${table}`, async () => {
      const { rows } = await sql<{ column_name: string }>`select column_name::text from information_schema.columns
        where table_schema = 'public' and table_name = ${table}`.execute(node.db);
      assert.deepEqual([...archivedColumns].sort(), rows.map(({ column_name }) => column_name).sort());
    });
});
