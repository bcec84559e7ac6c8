import assert from 'node:assert/strict';
import { test } from 'vitest';
import { PROVIDERS } from './registry.ts';
import { TEMPLATES } from './template-registry.ts';

test('every provider has templates', () => {
  assert.deepEqual(Object.keys(TEMPLATES).sort(), PROVIDERS.map(({ code }) => code).sort());
});
