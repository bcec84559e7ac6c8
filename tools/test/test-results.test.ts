import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countBrowserTests } from './test-results.ts';

test('a failed browser test is listed with the titles around it, without colors', () => {
  const failed = {
    ok: false,
    tests: [{ status: 'unexpected', results: [{ error: { message: '\u001b[31mno gate\n' } }] }],
  };
  const passed = { title: 'opens', ok: true, tests: [] };
  const suites = [
    {
      file: 'garden.spec.ts',
      title: 'garden.spec.ts',
      specs: [passed],
      suites: [{ file: 'garden.spec.ts', title: 'at night', specs: [{ title: 'is closed', ...failed }] }],
    },
  ];
  const counts = { passed: 1, failed: 0, skipped: 0, missing: new Map() };
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
  assert.deepEqual(countBrowserTests({ suites, stats }, counts), [
    'e2e/garden.spec.ts | at night › is closed | no gate',
  ]);
  assert.partialDeepStrictEqual(counts, { passed: 2, failed: 1, skipped: 0 });
});
