import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { buildPortal } from './build-portal.ts';

// The bench measures the same in a browser, with headers and times. This fails as soon as a change adds to the first screens.

const DIST = join(import.meta.dirname, '../../apps/portal/dist');

interface Screen {
  path: string;
  scripts: string[];
  styles: string[];
}

let screens: Screen[];
let first: string[];

before(async () => {
  await buildPortal();
  screens = JSON.parse(readFileSync(join(DIST, '.route-files.json'), 'utf8'));
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');
  first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
});

/** Scripts and style sheets of a screen, with their sizes when compressed. */
function weigh(path: string): [file: string, bytes: number][] {
  const screen = screens.find((each) => each.path === path);
  assert.ok(screen, `no screen at ${path}`);
  const files = [...first, ...screen.scripts, ...screen.styles];
  return files.map((file) => [file, brotliCompressSync(readFileSync(join(DIST, file))).length]);
}

for (const [path, maxBytes, maxFiles] of [
  ['^/login$', 100_000, 4],
  ['^/users/users$', 170_000, 10],
] as const) {
  test(`${path} loads at most ${maxBytes / 1_000} KB of code in ${maxFiles} files`, () => {
    const files = weigh(path);
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    const list = files.map(([file, size]) => `${size} ${file}`).join('\n');
    assert.ok(bytes <= maxBytes, `${bytes} bytes:\n${list}`);
    assert.ok(files.length <= maxFiles, `${files.length} files:\n${list}`);
  });
}

test('the sign-in form loads without the router', () => {
  const code = weigh('^/login$').map(([file]) => readFileSync(join(DIST, file), 'utf8'));
  assert.ok(
    code.some((text) => text.includes('Forgot Password')),
    'the form is missing',
  );
  for (const text of code) assert.doesNotMatch(text, /__TSR_index/);
});

test('neither of the first screens loads schemas', () => {
  for (const path of ['^/login$', '^/users/users$']) {
    for (const [file] of weigh(path))
      assert.doesNotMatch(readFileSync(join(DIST, file), 'utf8'), /invalid_format/, `${file} contains zod`);
  }
});

test('the browser is told to compile the code of the first screens while it loads', () => {
  for (const path of ['^/login$', '^/users/users$']) {
    for (const [file] of weigh(path).filter(([name]) => name.endsWith('.js')))
      assert.match(readFileSync(join(DIST, file), 'utf8'), /^\/\/# allFunctionsCalledOnLoad\n/, file);
  }
});
