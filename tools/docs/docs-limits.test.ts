// The administration guide lists every limit with the number that the code has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findUndescribed, readCounted, renderLimits } from './limits-table.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/operator-guide.md'), 'utf8');

test('every limit of the code is described, and none that it does not have', () => {
  assert.ok(readCounted().length > 8);
  assert.deepEqual(findUndescribed(), []);
});

test('the table is up to date: npm run generate:limits', () => {
  assert.ok(guide.includes(`\n${renderLimits()}\n`));
});
