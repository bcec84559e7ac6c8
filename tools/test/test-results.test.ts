import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNodeTests } from './node-tests.ts';
import { browserFailures } from './test-results.ts';

const PLANTED = `
import { describe, test } from 'node:test';
describe('a garden', () => {
  test('has a gate', () => {});
  test('has a pond', () => { throw new Error('there is no pond\\n' + 'progress\\n'.repeat(9) + 'it dried up'); });
});
test('skipped', { skip: true }, () => {});
`;
const CRASHING = "import { test } from 'node:test';\ntest('crashes', () => process.kill(process.pid, 'SIGKILL'));\n";
const PASSING = "import { test } from 'node:test';\ntest('passes', () => {});\n";

test('a failed test is listed with its file and the first and last lines of its reason, and a file whose process dies fails without taking others along', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-results-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = ['garden', 'crashing', 'passing'].map((name) => join(folder, `${name}.test.mjs`));
  const texts = [PLANTED, CRASHING, PASSING];
  await Promise.all(files.map((file, at) => writeFile(file, texts[at] ?? '')));
  const root = join(import.meta.dirname, '../..');
  const { counts, failures } = await runNodeTests(files, { root, signal: t.signal, fileMs: 60_000, print: () => {} });
  assert.deepEqual(counts, { passed: 2, failed: 2, skipped: 1 });
  assert.deepEqual(failures.map((text) => text.replace(/^\S*\//, '')).toSorted(), [
    'crashing.test.mjs | its process ended with SIGKILL',
    'garden.test.mjs | a garden › has a pond | there is no pond\n    progress\n    progress\n    progress\n    progress\n    progress\n    it dried up',
  ]);
});

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
  assert.deepEqual(browserFailures(suites), ['e2e/garden.spec.ts | at night › is closed | no gate']);
});
