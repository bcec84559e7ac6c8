import type { VirtualRootRoute, VirtualRouteNode } from '@tanstack/virtual-file-routes';
import type { Plugin } from 'vite';

/** The path of the sign-in form, which is part of the first script and shown before the router is loaded. */
const SIGN_IN = '^/login$';
/** The router, which every other screen needs. */
const PORTAL = 'app/portal.tsx';

/** The source files that the first script imports for a screen. */
export function listFirstSources({ path, sources }: Screen): string[] {
  return path === SIGN_IN ? [] : [PORTAL, ...sources];
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

/** Whether a module is the component that is split from a route, or the router. */
const isFirst = (id: string) => id.endsWith('?tsr-split=component') || id.endsWith(PORTAL);

const isProtected = (source: string) => source.endsWith('/protected.layout.tsx');

/** The files of the build that these import, themselves included, without those that the page has anyway. */
export function collectScripts(
  names: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
  entry: readonly string[],
): string[] {
  const scripts = new Set<string>();
  const visit = (name: string): void => {
    const imported = imports.get(name);
    if (imported === undefined || scripts.has(name)) return;
    scripts.add(name);
    imported.forEach(visit);
  };
  names.forEach(visit);
  return [...scripts].filter((name) => !entry.includes(name));
}

/**
 * Writes which scripts each screen loads, for the server to name them in the page: otherwise the browser finds them one after
 * another, and only when the first ones have run.
 */
export function routeFiles(routes: VirtualRootRoute): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    // After Vite has removed the scripts of which only a stylesheet was left.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const imports = new Map<string, string[]>();
        const bySource = new Map<string, string>();
        const entry: string[] = [];
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          imports.set(file.fileName, file.imports);
          if (file.isEntry) entry.push(file.fileName);
          for (const id of file.moduleIds) if (isFirst(id)) bySource.set(id.replace(/\?.*/, ''), file.fileName);
        }
        const inPage = collectScripts(entry, imports, []);
        const toFile = (source: string) => [...bySource].find(([id]) => id.endsWith(`/src/${source}`))?.[1];
        if (toFile(PORTAL) === undefined) this.error(`No file of the build begins with ${PORTAL}.`);
        const screens = listScreens(routes).map((screen) => {
          const files = listFirstSources(screen).map(toFile);
          const scripts = collectScripts(
            files.filter((file) => file !== undefined),
            imports,
            inPage,
          );
          return { path: screen.path, needsSession: screen.sources.some(isProtected), scripts };
        });
        this.emitFile({ type: 'asset', fileName: '.route-files.json', source: JSON.stringify(screens) });
      },
    },
  };
}
