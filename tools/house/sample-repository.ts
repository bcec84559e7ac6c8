import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { House } from './house-files.ts';

/** Path → text of a tree. */
export type Tree = Record<string, string>;

const lines = (...text: string[]): string => `${text.join('\n')}\n`;
const manifest = (value: object): string => JSON.stringify({ type: 'module', ...value });
const importLayers = { '#platform/*': './src/platform/*', '#workspace/*': './src/workspace/*' };

/** A tree laid out like the real one, small and clean: every storey, and one room on all three sides. */
export const CLEAN: Tree = {
  'README.md':
    'Run it with `npm start`, read [the architecture](docs/architecture.md), change `tools/house/check.ts`.\n',
  'docs/architecture.md': 'See the [readme](../README.md) and `npm run check`. `gardens` belongs to the room garden.\n',
  'package.json': manifest({ scripts: { start: 'node .', check: 'node tools/check.ts' } }),
  'tools/house/check.ts': 'export {};\n',

  'packages/contract/package.json': manifest({ exports: { './*': './src/*.ts' }, dependencies: { zod: '4' } }),
  'packages/contract/src/garden.ts': lines("import { z } from 'zod';", 'export const Garden = z.object({});'),
  'packages/contract/src/garden.test.ts': lines("import { it } from 'node:test';", "it('is empty', () => {});"),

  'apps/server/package.json': manifest({
    imports: { ...importLayers, '#features/*': './src/features/*', '#testing/*': './testing/*' },
    dependencies: { '@steward/contract': '*', kysely: '*' },
  }),
  'apps/server/testing/app/start-app.ts': 'export const testKey = process.env.TEST_KEY;\n',
  'apps/server/src/app/main.ts': lines(
    "import { routes } from '#features/garden/garden.routes.ts';",
    "import { port } from '#platform/env.ts';",
    'console.log(routes, port);',
  ),
  'apps/server/src/platform/env.ts': 'export const port = process.env.PORT;\n',
  'apps/server/src/platform/database/database.ts': lines(
    "import { Kysely } from 'kysely';",
    'export const database = Kysely;',
  ),
  'apps/server/src/migrations/tables.gen.ts': lines('export interface Tables {', '  gardens: { name: string };', '}'),
  'apps/server/src/workspace/changes/change.ts': lines(
    "import { database } from '#platform/database.ts';",
    'export const change = (db: { transaction(): unknown }) => [db.transaction(), database];',
  ),
  'apps/server/src/features/garden/garden.routes.ts': lines(
    "import { Garden } from '@steward/contract/garden';",
    "import { change } from '#workspace/change.ts';",
    "import { isOld } from './garden.rules.ts';",
    "import { saveGarden } from './garden.store.ts';",
    'export const routes = [Garden, change, isOld, saveGarden];',
  ),
  'apps/server/src/features/garden/garden.store.ts': lines(
    "import { sql } from 'kysely';",
    "export const saveGarden = (db: { insertInto(table: string): unknown }) => [db.insertInto('gardens'), sql];",
  ),
  'apps/server/src/features/garden/garden.rules.ts': lines(
    '// The clock is an argument: Date.now() and process.env stay outside.',
    'export const isOld = (now: Date) => now.getTime() > 0;',
  ),
  'apps/server/src/features/garden/garden.rules.test.ts': lines(
    "import { testKey } from '#testing/start-app.ts';",
    "import { isOld } from './garden.rules.ts';",
    'console.log(testKey, isOld);',
  ),

  'apps/portal/package.json': manifest({
    imports: { '#app/*': './src/app/*', ...importLayers, '#features/*': './src/features/*' },
    dependencies: { '@steward/contract': '*', react: '*' },
  }),
  'apps/portal/vite.config.ts': 'export default {};\n',
  'apps/portal/src/app/__root.tsx': lines(
    "import { GardenPage } from '#features/garden/garden.page.tsx';",
    'export const root = GardenPage;',
  ),
  'apps/portal/src/platform/api/api.ts': lines(
    "import { Garden } from '@steward/contract/garden';",
    'export const api = [Garden, fetch("/api/v4")];',
  ),
  'apps/portal/src/workspace/teams/current-team.ts': lines(
    "import { api } from '#platform/api.ts';",
    'export const currentTeam = api;',
  ),
  'apps/portal/src/features/garden/garden.page.tsx': lines(
    "import { currentTeam } from '#workspace/current-team.ts';",
    "import { toForm } from './garden.form.ts';",
    'export const GardenPage = [currentTeam, toForm];',
  ),
  'apps/portal/src/features/garden/garden.form.ts': 'export const toForm = (value: number) => value;\n',
};

/** The tree without a disk, for rules that only read. */
export function inMemory(tree: Tree): House {
  return { root: '/', files: Object.keys(tree).sort(), read: (file) => tree[file] ?? '' };
}

/** The tree in a temporary folder, for the real tools; gone when the scope ends. */
export function onDisk(tree: Tree): Disposable & { root: string } {
  const root = mkdtempSync(join(tmpdir(), 'small-house-'));
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
