import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createHashing, type Hashing } from './hashing-threads.ts';

const onLinux = process.platform === 'linux' ? {} : { skip: 'threads have priorities on Linux only' };
const OPTIONS = { file: new URL('./hash-thread.ts', import.meta.url), threads: 2, idleMs: 60_000 };
const password = 'correct horse battery';

const hash = (hashing: Hashing) => hashing.hash(password);

/** Hashes two at a time until every thread is there, or for so long that they should be there. */
async function warm(hashing: Hashing): Promise<void> {
  for (let round = 0; round < 300 && hashing.size() < OPTIONS.threads; round += 1)
    await Promise.all([hash(hashing), hash(hashing)]);
}

test('a task that is alone needs no thread', async () => {
  const hashing = createHashing(OPTIONS);
  for (let nth = 0; nth < 3; nth += 1) await hash(hashing);
  assert.equal(hashing.size(), 0);
});

test('tasks beside others run in threads, with the same results', onLinux, async () => {
  const hashing = createHashing(OPTIONS);
  await warm(hashing);
  assert.equal(hashing.size(), OPTIONS.threads);
  const stored = await hash(hashing);
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const checks = [hashing.verify(stored, password), hashing.verify(stored, 'other'), hashing.verify('junk', password)];
  assert.deepEqual(await Promise.all(checks), [true, false, false]);
});

test('a thread without work ends', onLinux, async () => {
  const hashing = createHashing({ ...OPTIONS, idleMs: 0 });
  const hashes = Promise.all([hash(hashing), hash(hashing)]);
  assert.equal(hashing.size(), 1);
  await hashes;
  while (hashing.size() > 0) await turn();
  assert.match(await hash(hashing), /^\$argon2id/);
});

test('passwords are hashed where threads can’t start, and where they end in a task', async () => {
  for (const file of ['./missing.ts', '../../../testing/faults/ending-thread.ts']) {
    const hashing = createHashing({ ...OPTIONS, file: new URL(file, import.meta.url) });
    for (let nth = 0; nth < 5; nth += 1)
      for (const stored of await Promise.all([hash(hashing), hash(hashing), hash(hashing)]))
        assert.match(stored, /^\$argon2id/, file);
  }
});

test('a thread that waits for passwords does not keep the process running', async () => {
  const code = `import { createHashing } from '${new URL('./hashing-threads.ts', import.meta.url)}';
    const hashing = createHashing({ ...${JSON.stringify(OPTIONS)}, file: new URL('${OPTIONS.file}') });
    const hash = () => hashing.hash('a password');
    for (let nth = 0; nth < 20; nth += 1) await Promise.all([hash(), hash()]);
    console.log('done');`;
  const cwd = new URL('../../..', import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd });
  assert.equal(stdout, 'done\n');
});
