import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export type Sources = ReadonlyMap<string, string>;

/** Lists the files of the work tree at `root` that git tracks or would add, as paths from there. */
export function listFiles(root: string, ...patterns: string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  if (files.length === 0) throw new Error(`Git lists no file in ${root}: a check would pass without reading any.`);
  return files.sort();
}

export function readSources(root: string): Sources {
  const files = listFiles(root, '*.ts', '*.tsx', '*.mjs');
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Removes comments, because a sentence about a forbidden import isn't one. */
export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

/** Lists the modules of imports, re-exports, side-effect imports and `import()`. */
export function listImports(code: string): string[] {
  const found = withoutComments(code).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] ?? '');
}

/** Returns the paths that a module name can mean in a file, or none for an installed package. */
export function resolveImport(file: string, name: string): string[] {
  if (name.startsWith('.')) return [posix.join(posix.dirname(file), name)];
  const app = /^apps\/[^/]+/.exec(file)?.[0];
  if (name.startsWith('#testing/')) return [`${app}/${name.slice(1)}`];
  if (name.startsWith('#')) return [`${app}/src/${name.slice(1)}`];
  const [, workspace = '', path = workspace] = /^@steward\/([^/]+)(?:\/(.+))?$/.exec(name) ?? [];
  if (workspace === '') return [];
  const inPackage = `packages/${workspace}/src/${path}`;
  return [
    ...['apps/', 'packages/', ''].map((folder) => `${folder}${workspace}/${path}`),
    ...[inPackage, `${inPackage}.ts`, `${inPackage}/${path}.ts`],
  ];
}
