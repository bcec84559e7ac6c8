import type { VirtualRootRoute, VirtualRouteNode } from '@tanstack/virtual-file-routes';
import type { Plugin } from 'vite';

/** A screen: a regular expression for its path, and the source files of its layouts and its page. */
interface Screen {
  path: string;
  sources: string[];
}

/** Every screen of the route table, without the fallback. */
export function listScreens({ children = [] }: VirtualRootRoute): Screen[] {
  const visit = (node: VirtualRouteNode, above: Screen): Screen[] => {
    if (node.type === 'physical') return [];
    const path = node.type === 'route' ? above.path + toPattern(node.path) : above.path;
    const here = { path, sources: node.file === undefined ? above.sources : [...above.sources, node.file] };
    if (node.type === 'route' && node.path === '$') return [];
    const inner = (node.type === 'index' ? [] : (node.children ?? [])).flatMap((child) => visit(child, here));
    return node.type === 'layout' ? inner : [...inner, { ...here, path: `^${path === '' ? '/' : path}$` }];
  };
  return children.flatMap((child) => visit(child, { path: '', sources: [] }));
}

/** `/$userId` or `/{$group}_retention` as a regular expression. */
function toPattern(path: string): string {
  const parts = path.split(/(\{?\$\w+\}?)/);
  return parts.map((part) => (part.includes('$') ? '[^/]+' : part.replace(/[.*+?^()|[\]\\]/g, '\\$&'))).join('');
}

const isProtected = (source: string) => source.endsWith('/protected.layout.tsx');

/** What a file of the build needs besides itself. */
interface BuiltFile {
  imports: readonly string[];
  styles: readonly string[];
}

/** The scripts and style sheets that these files need, without those that the page has anyway. */
export function collectFiles(
  names: readonly string[],
  built: ReadonlyMap<string, BuiltFile>,
  entry: readonly string[],
) {
  const scripts = new Set<string>();
  const visit = (name: string): void => {
    const file = built.get(name);
    if (file === undefined || scripts.has(name)) return;
    scripts.add(name);
    file.imports.forEach(visit);
  };
  for (const name of names) visit(name);
  for (const name of entry) scripts.delete(name);
  const own = new Set(entry.flatMap((name) => built.get(name)?.styles ?? []));
  const styles = new Set(
    [...scripts].flatMap((name) => built.get(name)?.styles ?? []).filter((name) => !own.has(name)),
  );
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * Writes which files each screen loads, for the server to name them in the page: otherwise the browser finds them one after
 * another, and only when the first ones have run.
 */
export function routeFiles(routes: VirtualRootRoute): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    // After Vite has removed the scripts of which only a style sheet was left.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const built = new Map<string, BuiltFile>();
        const bySource = new Map<string, string>();
        const entry: string[] = [];
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          built.set(file.fileName, { imports: file.imports, styles: [...(file.viteMetadata?.importedCss ?? [])] });
          if (file.isEntry) entry.push(file.fileName);
          for (const id of file.moduleIds)
            if (id.endsWith('?tsr-split=component')) bySource.set(id.slice(0, id.indexOf('?')), file.fileName);
        }
        // What the page names itself.
        const first = collectFiles(entry, built, []).scripts;
        const toFile = (source: string) => [...bySource].find(([id]) => id.endsWith(`/src/${source}`))?.[1];
        const screens = listScreens(routes).map(({ path, sources }) => {
          const files = sources.map(toFile).filter((file) => file !== undefined);
          return { path, needsSession: sources.some(isProtected), ...collectFiles(files, built, first) };
        });
        this.emitFile({ type: 'asset', fileName: '.route-files.json', source: JSON.stringify(screens) });
      },
    },
  };
}
