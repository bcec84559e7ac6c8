import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createSecrets } from '#platform/security/secrets.ts';
import { getPage, readCursor, rowsToFetch } from './paging.ts';

const secrets = createSecrets('ab'.repeat(32));
const scope = { list: 'users', teamId: 't1', filters: { search: 'a', member: '1' as string | undefined } };
const page = (rows: string[], limit: number | undefined, first = true) =>
  getPage(rows, { limit, first, secrets, scope, toKey: (row) => [row, 'é\0"'] });

test('a page has 100 rows by default, and an extra row shows whether another page follows', () => {
  assert.equal(rowsToFetch(undefined), 101);
  assert.equal(rowsToFetch(2_000), 2_001);
  assert.deepEqual(page(['a', 'b'], 2), { records: ['a', 'b'], last_key: null, reset: true });
  assert.deepEqual(page([], 2, false), { records: [], last_key: null });
  const { records, last_key } = page(['a', 'b', 'c'], 2);
  assert.deepEqual(records, ['a', 'b']);
  assert.deepEqual(readCursor(secrets, scope, last_key ?? ''), ['b', 'é\0"']);
});

test('no key and an empty key mean the first page', () => {
  assert.equal(readCursor(secrets, scope, undefined), undefined);
  assert.equal(readCursor(secrets, scope, ''), undefined);
});

test("a key is valid only for its list, team, filters and server; undefined filters don't matter", () => {
  const key = page(['a', 'b'], 1).last_key ?? '';
  const same = { ...scope, filters: { member: '1', search: 'a', workspace_admin: undefined } };
  assert.deepEqual(readCursor(secrets, same, key), ['a', 'é\0"']);
  for (const other of [
    { ...scope, list: 'directory' },
    { ...scope, teamId: 't2' },
    { ...scope, filters: { search: 'b', member: '1' } },
    { ...scope, filters: { search: 'a' } },
  ])
    assert.throws(() => readCursor(secrets, other, key), { status: 400 });
  assert.throws(() => readCursor(createSecrets('cd'.repeat(32)), scope, key), { status: 400 });
});

test('a key with any character changed is rejected', () => {
  const key = page(['a', 'b'], 1).last_key ?? '';
  for (let i = 0; i < key.length; i += 1) {
    const edited = `${key.slice(0, i)}${key[i] === 'x' ? 'y' : 'x'}${key.slice(i + 1)}`;
    assert.throws(() => readCursor(secrets, scope, edited), { status: 400 }, edited);
  }
  for (const edited of [`${key}.`, `${key}.x`, key.slice(0, -1), '.', 'x'])
    assert.throws(() => readCursor(secrets, scope, edited), { status: 400 });
});
