import type { Plugin } from 'vite';

/** What a file of the build imports before it runs. */
type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Refuses a build whose files import each other in a circle: one of them would run before what it uses, and every screen that
 * needs it would fail to load. Moving the shared module into a group of its own (`codeSplitting`) ends the circle.
 */
export const noCircles: Plugin = {
  name: 'no-circles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const imports = new Map<string, readonly string[]>();
    for (const file of Object.values(bundle)) if (file.type === 'chunk') imports.set(file.fileName, file.imports);
    const circle = findCircle(imports);
    if (circle) this.error(`Files of the build import each other in a circle: ${circle.join(' → ')}`);
  },
};

/** Files that import each other, the first one again at the end; undefined if there are none. */
export function findCircle(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}
