import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCircle } from './no-circles.ts';

const graph = (imports: Record<string, string[]>) => findCircle(new Map(Object.entries(imports)));

test('a circle is found wherever it begins, and named', () => {
  assert.deepEqual(graph({ page: ['common', 'shell'], common: ['shell'], shell: ['lists'], lists: ['common'] }), [
    'common',
    'shell',
    'lists',
    'common',
  ]);
});

test('files that share what they import are no circle', () => {
  assert.equal(
    graph({ page: ['common', 'shell'], other: ['common', 'page'], common: ['shell'], shell: [] }),
    undefined,
  );
});
