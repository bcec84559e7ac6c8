// Links, paths and scripts that the pages name must exist, and another page must link to each page.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'vitest';
import { listFiles } from '../check/source-files.ts';

const root = join(import.meta.dirname, '../..');
const files = listFiles(root);
const pages = ['*.md', 'docs/**/*.md', 'deploy/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

const exists = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));

/** Returns the targets within the repository, as paths from the root. */
function listLinks({ page, text }: { page: string; text: string }): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(page), target.replace(/#.*$/, '')).replace(/\/$/, ''));
}

test('every link leads to a file', () => {
  assert.ok(pages.length > 10);
  const dead = pages.flatMap((page) =>
    listLinks(page)
      .filter((target) => !exists(target))
      .map((target) => `${page.page}: ${target}`),
  );
  assert.deepEqual(dead, []);
});

test('every path in backticks exists, except in decision records, which describe their time', () => {
  const named = pages
    .filter(({ page }) => !page.startsWith('docs/decisions/'))
    .flatMap(({ page, text }) =>
      [...text.matchAll(/`((?:apps|packages|e2e|tools|bench|docs)\/[\w./-]+)`/g)].map(([, path = '']) => ({
        page,
        path,
      })),
    );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter(({ path }) => !exists(path.replace(/\/$/, ''))),
    [],
  );
});

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => ({
      page,
      script: run ?? short ?? '',
    })),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter(({ script }) => !(script in scripts)),
    [],
  );
});

test('another page links to every page of the documentation', () => {
  const linked = new Set(pages.flatMap(listLinks));
  assert.deepEqual(
    pages.map(({ page }) => page).filter((page) => page.startsWith('docs/') && !linked.has(page)),
    [],
  );
});

test('every numbered section of a page has a number of its own', () => {
  for (const { page, text } of pages) {
    const numbers = [...text.matchAll(/^#+ (\d[\d.]*) /gm)].map(([, number]) => number);
    assert.deepEqual(
      numbers.filter((number, at) => numbers.indexOf(number) !== at),
      [],
      page,
    );
  }
});
