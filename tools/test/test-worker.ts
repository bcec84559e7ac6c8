// A process of node-tests.ts: runs the test files that it is sent, one after another, each as a suite of its own, so that a
// file's hooks belong to that file alone.
import { once } from 'node:events';
import { relative } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { NextFile } from './node-tests.ts';

/**
 * Each run repeats the previous one, so that a property that fails here fails everywhere. A test file that runs alone uses its
 * own seed.
 */
const SEED = 1;
fc.configureGlobal({ seed: SEED });

async function nextFile(): Promise<string | undefined> {
  const answer = once(process, 'message') as Promise<[NextFile]>;
  process.send?.({ type: 'ready' });
  const [{ file }] = await answer;
  return file;
}

for (let file = await nextFile(); file !== undefined; file = await nextFile()) {
  const { href } = pathToFileURL(file);
  await describe(relative(process.cwd(), file), async () => void (await import(href)));
}
process.disconnect();
