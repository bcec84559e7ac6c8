import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { withFileLock } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'steward-alone-'));
const file = join(folder, 'lock');

afterAll(() => rmSync(folder, { recursive: true }));

test('processes run the work one after another, and a failure frees the lock', async () => {
  let inside = 0;
  let most = 0;
  const work = async (nth: number) => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise(setImmediate);
    inside -= 1;
    if (nth === 1) throw new Error('broken');
    return nth;
  };
  const results = await Promise.allSettled([0, 1, 2, 3].map((nth) => withFileLock(file, () => work(nth))));
  assert.equal(most, 1);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  assert.ok(!existsSync(file));
});

test('the lock of a dead process is free', async () => {
  const pid = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
  writeFileSync(file, pid.trim());
  assert.equal(await withFileLock(file, async () => 'done'), 'done');
});
