// The real Biome, knip and tsc, with the real configuration, on a small tree with planted violations.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { CLEAN, onDisk, type Tree } from './sample-repository.ts';

const root = join(import.meta.dirname, '../..');
const SERVER = 'apps/server/src';
const PORTAL = 'apps/portal/src';
const use = (module: string, as = 'a'): string => `import { b } from '${module}';\nexport const ${as} = () => b;\n`;
const useType = (module: string): string => `import type { B } from '${module}';\nexport const a = (b: B) => b;\n`;

/** Biome's rule → [what is wrong, file, text]. `pond` is a room the configuration has never heard of. */
const PLANTED: Record<string, [string, string, string][]> = {
  noRestrictedImports: [
    ['the contract imports Kysely', 'packages/contract/src/b.ts', use('kysely')],
    ['the contract imports a Node module', 'packages/contract/src/c.ts', use('node:fs')],
    ['the contract imports platform', 'packages/contract/src/d.ts', use('#platform/env.ts')],
    ['a file climbs with ../', `${SERVER}/platform/deep/a.ts`, use('../env.ts')],
    ['a file climbs with ./../', `${SERVER}/platform/deep/b.ts`, use('./../env.ts')],
    ['a room climbs into another room', `${SERVER}/features/pond/climb.ts`, use('../garden/garden.rules.ts')],
    ['a contract file climbs', 'packages/contract/src/deep/f.ts', use('./../garden.ts')],
    ['workspace climbs', `${SERVER}/workspace/deep/c.ts`, use('../change.ts')],
    ['the portal app climbs', `${PORTAL}/app/climb.tsx`, use('../platform/api.ts')],
    ['a contract test climbs', 'packages/contract/src/deep/e.test.ts', use('../garden.ts')],
    ['a tool climbs', 'tools/b.ts', use('../apps/server/src/platform/env.ts')],
    ['server platform imports workspace', `${SERVER}/platform/a.ts`, use('#workspace/change.ts')],
    ['server platform imports a feature', `${SERVER}/platform/b.ts`, use('#features/pond/a.ts')],
    ['server platform imports app', `${SERVER}/platform/c.ts`, use('#app/main.ts')],
    ['a platform test imports workspace', `${SERVER}/platform/e.test.ts`, use('#workspace/a.ts')],
    ['a migration imports workspace', `${SERVER}/migrations/0009-a.ts`, use('#workspace/change.ts')],
    ['server workspace imports a feature', `${SERVER}/workspace/a.ts`, use('#features/pond/a.ts')],
    ['server workspace imports app late', `${SERVER}/workspace/b.ts`, "await import('#app/main.ts');\n"],
    ['a room imports another room', `${SERVER}/features/pond/a.ts`, use('#features/garden/a.ts')],
    ['a room imports a type of another room', `${SERVER}/features/pond/b.ts`, useType('#features/garden/a.ts')],
    ['a room re-exports another room', `${SERVER}/features/pond/c.ts`, "export { a } from '#features/garden/a.ts';\n"],
    ['a room test imports another room', `${SERVER}/features/pond/d.test.ts`, use('#features/garden/a.ts')],
    ['the server imports the portal', `${SERVER}/features/pond/e.ts`, use('@steward/portal/src/platform/api.ts')],
    ['server platform imports the portal', `${SERVER}/platform/m.ts`, use('@steward/portal/src/platform/api.ts')],
    ['portal workspace imports the server', `${PORTAL}/workspace/m.ts`, use('@steward/server/src/platform/env.ts')],
    ['the server imports tools', `${SERVER}/b.ts`, use('@steward/tools/check.ts')],
    ['portal platform imports workspace', `${PORTAL}/platform/ui/a.tsx`, use('#workspace/current-team.ts')],
    ['portal workspace imports a feature', `${PORTAL}/workspace/a.ts`, use('#features/pond/a.ts')],
    ['a portal room imports another room', `${PORTAL}/features/pond/a.page.tsx`, use('#features/garden/a.ts')],
    ['a portal room imports app', `${PORTAL}/features/pond/b.tsx`, use('#app/__root.tsx')],
    ['the portal imports the server', `${PORTAL}/app/a.tsx`, use('@steward/server/src/main.ts')],
  ],
  noImportCycles: [
    ['two files import each other', `${SERVER}/features/pond/f.ts`, use('./g.ts', 'f')],
    ['two files import each other by alias', `${SERVER}/platform/h.ts`, use('#platform/i.ts', 'h')],
  ],
  noFloatingPromises: [
    [
      'a route forgets to await a store',
      `${SERVER}/features/pond/l.routes.ts`,
      "import { save } from './l.store.ts';\nsave();\n",
    ],
    [
      'a store forgets to await platform',
      `${SERVER}/features/pond/l.store.ts`,
      "import { send } from '#platform/l.ts';\nexport const save = async () => {\n  send();\n};\n",
    ],
  ],
  noMisusedPromises: [
    [
      'a promise is asked whether it is true',
      `${SERVER}/platform/l.ts`,
      'export const send = async () => 1;\nif (send()) send;\n',
    ],
  ],
  noBarrelFile: [['a file re-exports', `${SERVER}/features/pond/index.ts`, "export { g } from './g.ts';\n"]],
  noDefaultExport: [['a file exports a default', `${SERVER}/features/pond/j.ts`, 'export default 1;\n']],
  useFilenamingConvention: [
    ['a file name is camelCase', `${SERVER}/features/pond/pondStore.ts`, 'export const a = 1;\n'],
    ['a component file is PascalCase', `${PORTAL}/features/pond/PondDialog.tsx`, 'export const a = 1;\n'],
  ],
  noUndeclaredDependencies: [
    ['the server imports what only the portal has', `${SERVER}/platform/k.ts`, use('react')],
    ['the portal imports what nobody declares', `${PORTAL}/platform/k.ts`, use('left-pad')],
  ],
  noConsole: [['the server writes to the console', `${SERVER}/features/pond/k.ts`, "console.log('here');\n"]],
  noNodejsModules: [['the portal imports a Node module', `${PORTAL}/features/pond/c.ts`, use('node:fs')]],
  noRestrictedGlobals: [
    ['the portal reads process', `${PORTAL}/features/pond/d.ts`, 'export const a = process.env;\n'],
  ],
};

/** The other halves of the two cycles. */
const PARTNERS: Tree = {
  [`${SERVER}/features/pond/g.ts`]: use('./f.ts', 'g'),
  [`${SERVER}/platform/i.ts`]: use('#platform/h.ts', 'i'),
};

function toCopy(tree: Tree, ...configuration: string[]): Disposable & { root: string } {
  const copy = onDisk({ ...CLEAN, ...tree });
  for (const file of configuration) cpSync(join(root, file), join(copy.root, file));
  return copy;
}

function run(tool: string, args: string[], cwd: string): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), args, { cwd, encoding: 'utf8' });
  return { status, out: stdout + stderr };
}

describe('Biome', () => {
  let found = '';

  before(() => {
    const planted = Object.fromEntries(
      Object.values(PLANTED).flatMap((rows) => rows.map(([, file, text]) => [file, text])),
    );
    using copy = toCopy({ ...planted, ...PARTNERS }, 'biome.json');
    found = run('biome', ['lint', '--reporter=github', '--max-diagnostics=none', '.'], copy.root).out;
  });

  it('says nothing about a clean tree, having read all of it', () => {
    using copy = toCopy({}, 'biome.json');
    const { status, out } = run('biome', ['lint', '--colors=off', '.'], copy.root);
    assert.equal(status, 0, out);
    const files = Object.keys(CLEAN).filter((file) => !file.endsWith('.md'));
    // One more than the tree has: the configuration itself.
    assert.match(out, new RegExp(`Checked ${files.length + 1} files`));
  });

  for (const [rule, rows] of Object.entries(PLANTED)) {
    for (const [wrong, file] of rows) {
      it(`notices when ${wrong}`, () => {
        const about = found.split('\n').filter((line) => line.includes(`/${file},`));
        assert.ok(
          about.some((line) => line.includes(`/${rule},`)),
          `${rule} is missing in:\n${about.join('\n')}`,
        );
      });
    }
  }
});

describe('tsc', () => {
  const wrong: Tree = {
    [`${SERVER}/a.ts`]: 'export enum Color { Red }\n',
    [`${SERVER}/b.ts`]: 'const list: number[] = [];\nexport const first: number = list[0];\n',
    [`${SERVER}/c.ts`]: 'export const a: { b?: number } = { b: undefined };\n',
    [`${SERVER}/d.ts`]: "import { Garden, type Pond } from './e.ts';\nexport const a: Pond = Garden;\n",
    [`${SERVER}/e.ts`]: 'export type Pond = number;\nexport type Garden = number;\nexport const b = (c) => c;\n',
    [`${SERVER}/f.ts`]: "export { Garden } from './e.ts';\n",
    [`${SERVER}/g.ts`]: 'export const a = document.title;\n',
  };

  it('notices an enum, an unchecked index, an undefined property, an unmarked type, an implicit any, the DOM', () => {
    using copy = toCopy(wrong, 'tsconfig.json');
    symlinkSync(join(root, 'node_modules'), join(copy.root, 'node_modules'));
    const { out } = run('tsc', ['-p', '.', '--pretty', 'false'], copy.root);
    const errors = [...out.matchAll(/^apps\/server\/src\/(\w)\.ts\(\d+,\d+\): error (TS\d+)/gm)].map(
      ([, file, code]) => `${file} ${code}`,
    );
    for (const expected of ['a TS1294', 'b TS2322', 'c TS2375', 'e TS7006', 'f TS1205', 'g TS2584']) {
      assert.ok(errors.includes(expected), `${expected} is missing in:\n${out}`);
    }
  });
});

describe('knip', () => {
  it('notices an unused file, an unused export and an unused dependency', () => {
    using copy = toCopy(
      {
        [`${SERVER}/features/pond/pond.rules.ts`]: 'export const nobodyCalls = 1;\n',
        [`${SERVER}/platform/env.ts`]: 'export const port = 1;\nexport const nobodyReads = 2;\n',
        'apps/server/package.json':
          CLEAN['apps/server/package.json']?.replace('"kysely"', '"fastify":"*","kysely"') ?? '',
      },
      'knip.jsonc',
    );
    symlinkSync(join(root, 'node_modules'), join(copy.root, 'node_modules'));
    const { status, out } = run('knip', ['--no-progress', '--no-config-hints'], copy.root);
    assert.equal(status, 1, out);
    for (const expected of [/pond\.rules\.ts/, /nobodyReads/, /fastify +apps\/server\/package\.json/])
      assert.match(out, expected);
  });
});
