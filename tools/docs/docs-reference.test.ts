import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { renderReference } from './render-reference.ts';

test('docs/reference.md is current: npm run generate:docs', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference.md'), 'utf8');
  assert.equal(page, renderReference());
});
