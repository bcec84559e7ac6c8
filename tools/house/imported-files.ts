import { posix } from 'node:path';
import { type House, listImports } from './house-files.ts';

/** Packages that are imported by the path of a file. */
const BY_PATH: Record<string, string> = {
  '@steward/server/': 'apps/server/',
  '@steward/portal/': 'apps/portal/',
  '@steward/e2e/': 'e2e/',
  '@steward/tools/': 'tools/',
};

/** The files of the tree that each file imports. */
export function importedFiles(house: House): Map<string, string[]> {
  const files = new Set(house.files);
  const code = house.files.filter((file) => /\.(tsx?|mjs)$/.test(file));
  return new Map(
    code.map((file) => {
      const names = listImports(house.read(file));
      return [file, names.flatMap((name) => resolveImport(file, name, files) ?? [])];
    }),
  );
}

/** The file of the tree that a module name means in a file; undefined for what is installed. */
export function resolveImport(file: string, name: string, files: Set<string>): string | undefined {
  return candidates(file, name).find((path) => files.has(path));
}

function candidates(file: string, name: string): string[] {
  if (name.startsWith('.')) return [posix.join(posix.dirname(file), name)];
  const app = /^apps\/[^/]+/.exec(file)?.[0];
  if (name.startsWith('#')) return [`${app}/src/${name.slice(1)}`, `${app}/${name.slice(1)}`];
  const byPath = Object.entries(BY_PATH).find(([prefix]) => name.startsWith(prefix));
  if (byPath) return [byPath[1] + name.slice(byPath[0].length)];
  const [, library, path = ''] = /^@steward\/([^/]+)\/(.+)$/.exec(name) ?? [];
  if (library === undefined) return [];
  const base = `packages/${library}/src/${path}`;
  return [base, `${base}.ts`, `${base}/${path}.ts`];
}
