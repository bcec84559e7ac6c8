import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from './product.ts';

test('a product name becomes a slug for file names', () => {
  assert.equal(slugOf('Steward'), 'steward');
  assert.equal(slugOf('  Harbour & Sons, Inc. '), 'harbour-sons-inc');
  assert.equal(slugOf('../..'), 'steward');
});
