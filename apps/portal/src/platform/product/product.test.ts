import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toSlug } from './product.ts';

test('a product name becomes a slug for file names', () => {
  assert.equal(toSlug('Steward'), 'steward');
  assert.equal(toSlug('  Harbour & Sons, Inc. '), 'harbour-sons-inc');
  assert.equal(toSlug('../..'), 'steward');
});
