import type { VirtualRootRoute, VirtualRouteNode } from '@tanstack/virtual-file-routes';
import type { Plugin } from 'vite';

/** The sign-in form of a visitor who isn't signed in: it is shown before the router is loaded. */
const SIGN_IN = { path: '^/login$', source: 'features/session/first-sign-in.tsx' };
/** The router, which every other screen needs. */
const PORTAL = 'app/portal.tsx';

/** The source files that the page of a screen imports first, and then the router for it. */
export function listFirstSources({ path, sources }: Screen): string[] {
  return path === SIGN_IN.path ? [SIGN_IN.source] : [PORTAL, ...sources];
}

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

/** Whether a module is what an import of a screen leads to: the component that is split from a route, or one of the two above. */
const isFirst = (id: string) =>
  id.endsWith('?tsr-split=component') || id.endsWith(SIGN_IN.source) || id.endsWith(PORTAL);

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
          for (const id of file.moduleIds) if (isFirst(id)) bySource.set(id.replace(/\?.*/, ''), file.fileName);
        }
        // What the page names itself.
        const first = collectFiles(entry, built, []).scripts;
        const toFile = (source: string) => [...bySource].find(([id]) => id.endsWith(`/src/${source}`))?.[1];
        for (const source of [SIGN_IN.source, PORTAL])
          if (toFile(source) === undefined) this.error(`No file of the build begins with ${source}.`);
        const screens = listScreens(routes).map((screen) => {
          const files = listFirstSources(screen)
            .map(toFile)
            .filter((file) => file !== undefined);
          const needsSession = screen.sources.some(isProtected);
          return { path: screen.path, needsSession, ...collectFiles(files, built, first) };
        });
        this.emitFile({ type: 'asset', fileName: '.route-files.json', source: JSON.stringify(screens) });
      },
    },
  };
}
