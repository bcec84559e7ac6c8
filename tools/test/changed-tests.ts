import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { listImports, readSources, resolveImport, type Sources } from '../check/source-files.ts';

/**
 * These files compose the whole product. A path through them does not count, because every test that starts the app would reach
 * every file.
 */
const COMPOSITION = new Set([
  'apps/server/src/app/features.ts',
  'apps/portal/src/app/routes.ts',
  'apps/portal/src/app/route-tree.gen.ts',
]);
const FEATURE = /^(?:apps\/(?:server|portal)\/src\/features|e2e)\/([^/]+)\//;

/** Returns the tests as absolute paths and the browser specs that can reach changes since `base`, including uncommitted ones. */
export function changedTests(root: string, base: string, tests: string[]): { tests: string[]; specs: string[] } {
  const changed = new Set(changedFiles(root, base));
  const reach = createReach(readSources(root), changed);
  const features = new Set([...changed].flatMap((file) => FEATURE.exec(file)?.[1] ?? []));
  return {
    tests: tests.filter((test) => {
      const file = relative(root, test);
      // A feature's tests call it over HTTP, so no import shows the dependency.
      return reach(file) || features.has(FEATURE.exec(file)?.[1] ?? '');
    }),
    specs: [...features].map((feature) => `e2e/${feature}`).filter((folder) => existsSync(join(root, folder))),
  };
}

/** Returns the tests that import a file, directly or through others. */
export function testsOf(root: string, file: string, tests: string[]): string[] {
  const reach = createReach(readSources(root), new Set([file]));
  return tests.filter((test) => reach(relative(root, test)));
}

function changedFiles(root: string, base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(
    (file) => file !== '',
  );
}

/** True if a file imports one that has changed, directly or through others. */
function createReach(sources: Sources, changed: Set<string>): (file: string) => boolean {
  const known = new Map<string, boolean>();
  const imports = (file: string) => listImports(sources.get(file) ?? '').flatMap((name) => resolveImport(file, name));
  const reach = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // This is assumed until its imports say otherwise, which also ends a cycle.
    known.set(file, changed.has(file));
    const found = changed.has(file) || (!COMPOSITION.has(file) && imports(file).some(reach));
    known.set(file, found);
    return found;
  };
  return reach;
}
