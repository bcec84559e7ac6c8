import assert from 'node:assert/strict';
import { Id } from '@steward/contract/api/fields';
import { test } from 'vitest';
import { newId } from './ids.ts';

test('ids match the contract, never repeat, and sort by creation time', () => {
  const ids = Array.from({ length: 2_000 }, () => newId());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.ok(Id.safeParse(id).success, id);
  const times = [0, 1, 1_000, Date.UTC(2026, 0), Date.UTC(2026, 0) + 1, Date.UTC(9999, 0)];
  const made = times.map((time) => newId(time));
  assert.deepEqual([...made].sort(), made);
});

test('ids of one millisecond sort in the order in which they were created', () => {
  const made = Array.from({ length: 2_000 }, () => newId(Date.UTC(2026, 0)));
  assert.deepEqual([...made].sort(), made);
});
