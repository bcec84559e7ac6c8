import assert from 'node:assert/strict';
import { it } from 'vitest';
import { createIdempotencyKeys } from './idempotency-key.ts';

it('keeps its key for the same content and uses another for other content', () => {
  const idempotencyKeyFor = createIdempotencyKeys();
  const first = idempotencyKeyFor({ email: 'ann@example.com' });
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(idempotencyKeyFor({ email: 'ann@example.com' }), first);
  assert.notEqual(idempotencyKeyFor({ email: 'bob@example.com' }), first);
});

it('gives two forms different keys for the same content', () => {
  assert.notEqual(createIdempotencyKeys()({}), createIdempotencyKeys()({}));
});
