import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRepeatKeys } from './repeat-key.ts';

it('keeps its key for the same content and takes another for other content', () => {
  const keyFor = createRepeatKeys();
  const first = keyFor({ email: 'ann@example.com' });
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(keyFor({ email: 'ann@example.com' }), first);
  assert.notEqual(keyFor({ email: 'bob@example.com' }), first);
});

it('gives two forms different keys for the same content', () => {
  assert.notEqual(createRepeatKeys()({}), createRepeatKeys()({}));
});
