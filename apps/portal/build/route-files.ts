import type { VirtualRootRoute, VirtualRouteNode } from '@tanstack/virtual-file-routes';
import type { Plugin } from 'vite';

/** The path of the sign-in form, which is part of the first script and shown before the router is loaded. */
const SIGN_IN = '^/login$';
const PORTAL = 'app/portal.tsx';

export function listFirstSources({ path, sources }: Screen): string[] {
  return path === SIGN_IN ? [] : [PORTAL, ...sources];
}

/** A screen has a regular expression for its path, and the source files of its layouts and its page. */
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

const isFirst = (id: string) => id.endsWith('?tsr-split=component') || id.endsWith(PORTAL);

const isProtected = (source: string) => source.endsWith('/protected.layout.tsx');

/** The scripts include those that they import, except the ones that every page loads. */
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
 * Writes the list of scripts that each screen loads, and the server names them in the page. Otherwise the browser finds them one
 * after another, and only after the first ones have run.
 */
export function routeFiles(routes: VirtualRootRoute): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    // Vite has by then removed the scripts that contained only a stylesheet.
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
