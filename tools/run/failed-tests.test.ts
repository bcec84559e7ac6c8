import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failedScreens } from './failed-tests.ts';

const PLANTED = `
import { describe, test } from 'node:test';
describe('a garden', () => {
  test('has a gate', () => {});
  test('has a pond', () => { throw new Error('there is no pond\\nat all'); });
});
`;

/** Prints what failed in the planted file: Node's runner does not run inside of itself. */
const RUN = `
import { join } from 'node:path';
import { run } from 'node:test';
import { failedTest } from '${new URL('./what-failed.ts', import.meta.url).href}';
const folder = import.meta.dirname;
const stream = run({ files: [join(folder, 'garden.test.mjs')] });
stream.on('test:fail', (event) => {
  const line = failedTest(folder, event);
  if (line !== undefined) console.log(line);
});
for await (const _ of stream);
`;

test('a test that failed is one line with its file and reason, and the group around it none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-what-failed-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'garden.test.mjs'), PLANTED);
  await writeFile(join(folder, 'run.mjs'), RUN);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run.mjs')], { env, encoding: 'utf8' });
  assert.equal(stdout, 'garden.test.mjs | has a pond | there is no pond\n', stderr);
});

test('a screen’s test that failed is one line with the titles around it, without colours', () => {
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
  assert.deepEqual(failedScreens(suites), ['e2e/garden.spec.ts | at night › is closed | no gate']);
});
