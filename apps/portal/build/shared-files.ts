import type { VirtualRootRoute } from '@tanstack/virtual-file-routes';
import { build, type PluginOption, type Rolldown } from 'vite';
import { type Chunk, mergeChunks } from './merge-chunks.ts';
import { listFirstSources, listScreens } from './route-files.ts';

/** What one request more is worth, in bytes of source: some 2 KB when minified and compressed, of which half a KB are headers. */
const REQUEST_BYTES = 20_000;
/** The first screens of most visits, and how many others each counts for. */
const FIRST_SCREENS = { '^/login$': 40, '^/users/users$': 40 };
/** A dialog or menu is loaded later than its screen, and not on every visit. */
const LATER_WEIGHT = 0.1;

/** What `planFiles` decides about the files of the build. */
interface FilePlan {
  /** Names the file of a module; null leaves it to the build. */
  name: (id: string) => string | null;
  /** Whether one of the first screens of most visits loads a file with these modules. */
  isOfFirstScreen: (ids: readonly string[]) => boolean;
}

/**
 * Decides which modules share a file. Otherwise the build makes a file for each set of screens that need the same modules: hundreds of small
 * ones. A build of which nothing is written tells what each screen needs, and `mergeChunks` does the rest.
 */
export async function planFiles(routes: VirtualRootRoute, plugins: PluginOption[]): Promise<FilePlan> {
  const built = await buildApart(plugins);
  const chunks = listChunks(built, routes);
  const weights = new Map<string, number>(Object.entries(FIRST_SCREENS));
  for (const screen of weights.keys())
    if (!chunks.some(({ screens }) => screens.has(screen))) throw new Error(`There is no screen at ${screen}.`);
  const weigh = (screen: string) => weights.get(screen) ?? (screen.startsWith('^') ? 1 : LATER_WEIGHT);
  const files = new Map<string, string>();
  for (const [number, names] of mergeChunks(chunks, { request: REQUEST_BYTES, weigh }).entries()) {
    if (names.length < 2) continue;
    const shared = names.map((name) => built.get(name)).filter((chunk) => chunk !== undefined);
    // Named after a page that is in it, so that requests are recognizable.
    const page = shared.find(({ facadeModuleId }) => facadeModuleId?.endsWith('?tsr-split=component'));
    for (const id of shared.flatMap(({ moduleIds }) => moduleIds)) files.set(id, `${page?.name ?? 'shared'}-${number}`);
  }
  const first = chunks.filter(({ screens }) => [...weights.keys()].some((screen) => screens.has(screen)));
  const ofFirst = new Set(first.flatMap((chunk) => built.get(chunk.name)?.moduleIds ?? []));
  return { name: (id) => files.get(id) ?? null, isOfFirstScreen: (ids) => ids.some((id) => ofFirst.has(id)) };
}

/** The chunks of a build that keeps modules apart unless exactly the same screens need them. */
async function buildApart(plugins: PluginOption[]): Promise<Map<string, Rolldown.OutputChunk>> {
  const chunks = new Map<string, Rolldown.OutputChunk>();
  await build({
    configFile: false,
    root: `${import.meta.dirname}/..`,
    logLevel: 'silent',
    plugins: [
      plugins,
      {
        name: 'read-chunks',
        generateBundle: {
          order: 'pre',
          handler(_options, bundle) {
            for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
          },
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      cssMinify: false,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2023',
      rolldownOptions: { experimental: { chunkOptimization: false } },
    },
  });
  return chunks;
}

function listChunks(built: ReadonlyMap<string, Rolldown.OutputChunk>, routes: VirtualRootRoute): Chunk[] {
  const needed = new Map<string, Set<string>>([...built.keys()].map((name) => [name, new Set()]));
  for (const { screen, entries } of listEntries([...built.values()], routes)) {
    const visit = (name: string): void => {
      const screens = needed.get(name);
      if (screens === undefined || screens.has(screen)) return;
      screens.add(screen);
      built.get(name)?.imports.forEach(visit);
    };
    for (const { fileName } of entries) visit(fileName);
  }
  return [...built.values()].map(({ fileName, imports, modules }) => ({
    name: fileName,
    imports,
    bytes: Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0),
    screens: needed.get(fileName) ?? new Set(),
  }));
}

/** The chunks that each screen begins with, and each part that screens load later: most of those are inside the shell. */
function listEntries(chunks: readonly Rolldown.OutputChunk[], routes: VirtualRootRoute) {
  const getSource = ({ facadeModuleId }: Rolldown.OutputChunk) => facadeModuleId?.replace(/^.*\/src\//, '') ?? '';
  const bySource = new Map(chunks.filter((chunk) => chunk.isDynamicEntry).map((chunk) => [getSource(chunk), chunk]));
  const first = chunks.filter(({ isEntry }) => isEntry);
  const screens = listScreens(routes).map((screen) => {
    const entries = listFirstSources(screen).map(
      (source) => bySource.get(source) ?? bySource.get(`${source}?tsr-split=component`),
    );
    return { screen: screen.path, entries: [...first, ...entries.filter((entry) => entry !== undefined)] };
  });
  const shell = screens.find(({ screen }) => screen === '^/$')?.entries.slice(0, -1) ?? [];
  const later = [...bySource].filter(([source]) => !source.endsWith('?tsr-split=component'));
  return [...screens, ...later.map(([source, chunk]) => ({ screen: source, entries: [...shell, chunk] }))];
}
