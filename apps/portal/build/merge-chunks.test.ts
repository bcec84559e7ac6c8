import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Chunk, mergeChunks } from './merge-chunks.ts';
import { findCircle } from './no-circles.ts';

const COSTS = { request: 1_000, weigh: (screen: string) => (screen === 'login' ? 10 : 1) };

const chunk = (name: string, bytes: number, screens: string, imports = ''): Chunk => ({
  name,
  bytes,
  screens: new Set(screens.split(' ')),
  imports: imports.split(' ').filter(Boolean),
});
const merge = (...chunks: Chunk[]) => mergeChunks(chunks, COSTS).map((names) => names.sort().join('+'));

test('chunks that the same screens need become one file', () => {
  assert.deepEqual(merge(chunk('a', 50_000, 'x y'), chunk('b', 90_000, 'x y'), chunk('c', 10, 'z')), ['a+b', 'c']);
});

test('a small chunk joins one that most of its screens load, a large one does not', () => {
  assert.deepEqual(merge(chunk('a', 500, 'x y'), chunk('b', 400, 'x')), ['a+b']);
  assert.deepEqual(merge(chunk('a', 500, 'x y'), chunk('b', 4_000, 'x')), ['a', 'b']);
});

test('a screen that counts more gets less that it does not need', () => {
  assert.deepEqual(merge(chunk('a', 5_000, 'x login'), chunk('b', 400, 'x')), ['a', 'b']);
});

test('files never import each other in a circle', () => {
  const chunks = [
    chunk('top', 900, 'x', 'middle'),
    chunk('middle', 90_000, 'x y z w', 'bottom'),
    chunk('bottom', 900, 'x'),
  ];
  assert.deepEqual(merge(...chunks), ['top', 'middle', 'bottom']);

  // Many chunks that import some of those before them, needed by overlapping screens.
  const many = Array.from({ length: 60 }, (_, at) => {
    const screens = Array.from({ length: 1 + (at % 5) }, (_, step) => `s${(at * 7 + step * 3) % 5}`);
    const imports = at === 0 ? '' : `c${Math.floor(at / 2)} c${Math.floor(at / 3)}`;
    return chunk(`c${at}`, (at * 37) % 900, screens.join(' '), imports);
  });
  const files = mergeChunks(many, COSTS);
  assert.ok(files.length < many.length);
  const fileOf = new Map(files.flatMap((names, file) => names.map((name) => [name, String(file)])));
  const imports = files.map((names, file): [string, string[]] => {
    const targets = many.filter(({ name }) => names.includes(name)).flatMap((each) => each.imports);
    return [String(file), targets.map((name) => fileOf.get(name) ?? '').filter((target) => target !== String(file))];
  });
  assert.equal(findCircle(new Map(imports)), undefined);
});
