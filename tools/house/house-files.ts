import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** One broken rule: which one, where, and what to do about it. */
export interface Problem {
  rule: string;
  file: string;
  text: string;
}

/** The tree as the checks see it. Paths are relative to the root and use `/`. */
export interface House {
  root: string;
  files: string[];
  read(file: string): string;
}

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'var', 'test-results', 'playwright-report']);

/** Reads the tree from the disk, so that a rule can be tried on any copy of it. */
export function openHouse(root: string): House {
  const files: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else files.push(relative(root, path).split(sep).join('/'));
    }
  };
  walk(root);
  return { root, files: files.sort(), read: (file) => readFileSync(join(root, file), 'utf8') };
}

/** Names of the rooms right below a folder: a folder each, or a single file. */
export function listRooms(house: House, folder: string): string[] {
  const inside = house.files.filter((file) => file.startsWith(folder) && /\.tsx?$/.test(file));
  return [...new Set(inside.map((file) => file.slice(folder.length).split(/[./]/)[0] ?? ''))];
}

/** What git knows: tracked files and new ones that are not ignored; deleted ones are left out. */
export function listTrackedFiles(root: string): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isOurs = (file: string): boolean => !file.split('/').some((part) => NOT_OURS.has(part));
  const exists = (file: string): boolean => statSync(join(root, file), { throwIfNoEntry: false }) !== undefined;
  return [...new Set(list.split('\0'))].filter((file) => file !== '' && isOurs(file) && exists(file));
}

/** A check that read fewer files than exist would be green for the wrong reason, so that is a problem of its own. */
export function findMissedFiles(seen: Iterable<string>, known: string[], by: string): Problem[] {
  if (known.length === 0) return [{ rule: 'seen', file: '.', text: `${by} was given no files at all` }];
  const had = new Set(seen);
  return known
    .filter((file) => !had.has(file))
    .map((file) => ({ rule: 'seen', file, text: `git knows this file, ${by} did not read it` }));
}

/** The code without its comments, so that a sentence about a rule does not break the rule. */
export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

/** Every module that a file names: imports, re-exports, side-effect imports and `import()`. */
export function listImports(code: string): string[] {
  const found = withoutComments(code).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] ?? '');
}
