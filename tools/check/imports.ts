// The rules on imports that Biome can't express.
import { listImports, resolveImport, type Sources, withoutComments } from './source-files.ts';

/** Layers have a height. An import stays in its layer or goes to a lower one. */
const LAYERS: Readonly<Record<string, number>> = {
  platform: 0,
  migrations: 0,
  workspace: 1,
  features: 2,
  app: 3,
  cli: 4,
};
/** Workspaces that know nothing of the product, with the packages that they import. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  'apps/mattermost-bridge': ['zod'],
  'packages/mattermost-simulator': [],
};
const ENVIRONMENT = /\bprocess\.env\b|\{[^}]*\benv\b[^}]*\}\s*(=\s*process\b|from\s*['"](node:)?process['"])/;

interface Place {
  app: string;
  layer: string;
  /** The folder in the layer, which is the name of a feature in features. */
  folder: string;
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** Returns every forbidden import, as `file: problem`. */
export function findForbiddenImports(sources: Sources): string[] {
  return [...sources].flatMap(([file, code]) => {
    if (!/^(apps|packages)\/[^/]+\/src\//.test(file)) return [];
    const faults = listImports(code).flatMap((name) => {
      const fault = findFault(file, name);
      return fault === undefined ? [] : [`${name}: ${fault}`];
    });
    if (readsEnvironment(file, code)) faults.push('only platform/env.ts reads process.env');
    return faults.map((fault) => `${file}: ${fault}`);
  });
}

function findFault(file: string, name: string): string | undefined {
  if (/(^#|\/)testing\//.test(name) && !isTest(file)) return 'only tests import test support';
  const stranger = findStranger(file, name);
  if (stranger !== undefined) return stranger;
  const from = getPlace(file);
  const [to] = resolveImport(file, name).flatMap((path) => getPlace(path) ?? []);
  if (from === undefined) return undefined;
  if (/^(kysely|pg|pg-boss)(\/|$)/.test(name) && (LAYERS[from.layer] ?? 0) > 0 && !/\.(store|test)\.ts$/.test(file)) {
    return 'above platform, only stores import a database driver';
  }
  if (to === undefined) return undefined;
  if (from.app !== to.app) return 'the server and the portal never import each other';
  if ((LAYERS[to.layer] ?? 0) > (LAYERS[from.layer] ?? 0)) return `${from.layer} imports nothing of ${to.layer}`;
  const crosses = from.layer === 'features' && to.layer === 'features' && from.folder !== to.folder;
  return crosses && !isTest(file)
    ? 'features never import each other; workspace holds what two of them need'
    : undefined;
}

/** Tests of these workspaces also import the runner and the simulator. */
function findStranger(file: string, name: string): string | undefined {
  const workspace = Object.keys(ALONE).find((each) => file.startsWith(`${each}/`));
  if (workspace === undefined || name.startsWith('node:')) return undefined;
  const own = `@steward/${workspace.split('/')[1]}/`;
  const packages = [...(ALONE[workspace] ?? []), ...(isTest(file) ? ['vitest', '@steward/mattermost-simulator/'] : [])];
  const isAllowed = name.startsWith('.')
    ? resolveImport(file, name).every((path) => path.startsWith(`${workspace}/`))
    : [own, ...packages].some((each) => name === each || (each.endsWith('/') && name.startsWith(each)));
  return isAllowed ? undefined : `${workspace} stands alone and imports nothing of the product`;
}

function getPlace(file: string): Place | undefined {
  // The commands are an additional layer above the server.
  if (file.startsWith('apps/cli/src/')) return { app: 'server', layer: 'cli', folder: '' };
  const [, app = '', layer = '', folder = ''] = /^apps\/(server|portal)\/src\/([^/]+)\/([^/]+)/.exec(file) ?? [];
  return layer in LAYERS ? { app, layer, folder } : undefined;
}

function readsEnvironment(file: string, code: string): boolean {
  const isBound = /^apps\/(cli|server)\/src\//.test(file) && !file.endsWith('/platform/env.ts') && !isTest(file);
  return isBound && ENVIRONMENT.test(withoutComments(code));
}
