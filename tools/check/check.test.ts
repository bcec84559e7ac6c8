import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'vitest';
import { findForbiddenImports } from './imports.ts';
import { listImports, readSources, resolveImport } from './source-files.ts';
import { findTableFaults } from './table-writers.ts';

const SERVER = 'apps/server/src';
const PORTAL = 'apps/portal/src';

/** Each row has the problem, the file and the code. */
const FORBIDDEN: [string, string, string][] = [
  ['platform imports workspace', `${SERVER}/platform/a.ts`, "import '#workspace/changes/change.ts';"],
  ['workspace imports a feature', `${SERVER}/workspace/a.ts`, "import '#features/garden/a.rules.ts';"],
  ['a feature loads app late', `${SERVER}/features/garden/a.ts`, "await import('#app/main.ts');"],
  ['a migration imports workspace', `${SERVER}/migrations/0001-a.ts`, "import '../workspace/a.ts';"],
  ['the portal climbs up by a path', `${PORTAL}/platform/api/a.ts`, "import '../../workspace/teams/a.ts';"],
  ['a feature imports a type of another', `${SERVER}/features/pond/a.ts`, "import type { A } from '../garden/a.ts';"],
  ['a feature re-exports another', `${PORTAL}/features/pond/a.ts`, "export { a } from '#features/garden/a.ts';"],
  ['the portal imports the server', `${PORTAL}/app/a.ts`, "import type { A } from '@steward/server/src/app/a.ts';"],
  ['the server imports the portal', `${SERVER}/app/a.ts`, "import '@steward/portal/src/app/a.ts';"],
  ['the server imports a command', `${SERVER}/app/a.ts`, "import '@steward/cli/src/command.ts';"],
  ['a command imports the portal', 'apps/cli/src/a.ts', "import '@steward/portal/src/app/a.ts';"],
  ['a command reads the environment', 'apps/cli/src/a/b.ts', 'const a = process.env.A;'],
  ['the product imports test support', `${SERVER}/app/main.ts`, "import '#testing/start-app.ts';"],
  ['a package imports test support', 'packages/liquid/src/a.ts', "import '@steward/server/testing/a.ts';"],
  ['the bridge imports the server', 'apps/mattermost-bridge/src/a.ts', "import '@steward/server/src/app/a.ts';"],
  [
    'the bridge climbs into the contract',
    'apps/mattermost-bridge/src/a.ts',
    "import '../../../packages/contract/src/a.ts';",
  ],
  [
    'the bridge imports the simulator',
    'apps/mattermost-bridge/src/a.ts',
    "import '@steward/mattermost-simulator/world.ts';",
  ],
  ['the bridge imports a database driver', 'apps/mattermost-bridge/src/a.ts', "import { Client } from 'pg';"],
  ['the simulator imports the contract', 'packages/mattermost-simulator/src/a.ts', "import '@steward/contract/users';"],
  ['routes import Kysely', `${SERVER}/features/garden/a.routes.ts`, "import { sql } from 'kysely';"],
  ['a job loads pg late', `${SERVER}/workspace/a.job.ts`, "await import('pg');"],
  ['a feature reads the environment', `${SERVER}/features/garden/a.ts`, 'const a = process.env.A;'],
  ['platform takes env from process', `${SERVER}/platform/a.ts`, 'const { env } = process;'],
  ['main imports env from Node', `${SERVER}/app/main.ts`, "import { env } from 'node:process';"],
];

for (const [wrong, file, code] of FORBIDDEN) {
  test(`the check of imports notices when ${wrong}`, () => {
    const faults = findForbiddenImports(new Map([[file, code]]));
    assert.equal(faults.length, 1);
    assert.ok(faults[0]?.startsWith(file), faults[0]);
  });
}

test('the check of imports allows imports to lower layers, within a feature, and in tests', () => {
  const allowed: Record<string, string> = {
    [`${SERVER}/platform/env.ts`]: 'export const port = process.env.PORT;',
    [`${SERVER}/platform/database/database.ts`]: "import { Kysely } from 'kysely';",
    [`${SERVER}/features/garden/a.store.ts`]: "import { sql } from 'kysely';\nimport { now } from '#platform/now.ts';",
    [`${SERVER}/features/garden/beds/a.ts`]: "// process.env and '#app/main.ts'\nimport '../a.rules.ts';",
    [`${SERVER}/features/garden/a.test.ts`]: "import '../pond/a.ts';\nimport '#testing/start-app.ts';",
    'apps/cli/src/access/a.ts': "import '../command.ts';\nimport '@steward/server/src/features/garden/a.ts';",
    'apps/mattermost-bridge/src/a.ts': "import { z } from 'zod';\nimport 'node:fs';\nimport './b.ts';",
    'apps/mattermost-bridge/src/a.test.ts':
      "import '@steward/mattermost-simulator/rig.ts';\nimport '../testing/rig.ts';",
    [`${PORTAL}/app/root.tsx`]: "import '#features/garden/a.page.tsx';\nimport '@steward/contract/garden';",
    'apps/server/testing/app/a.ts': "import '#app/main.ts';\nexport const key = process.env.KEY;",
  };
  assert.deepEqual(findForbiddenImports(new Map(Object.entries(allowed))), []);
});

const TABLES = 'export interface Tables {\n  gardens: Garden;\n  ponds: Pond;\n}\n';
const OWNED = {
  [`${SERVER}/migrations/tables.gen.ts`]: TABLES,
  [`${SERVER}/migrations/0001-a.ts`]: 'sql`update gardens set size = 1`;',
  [`${SERVER}/features/garden/a.store.ts`]: "db.insertInto('gardens as g').values(rows);",
  [`${SERVER}/features/garden/a.store.test.ts`]: "db.deleteFrom('gardens');",
  [`${SERVER}/features/pond/b.store.ts`]:
    "// delete from gardens\nsql`insert into ponds as p`;\ndb.selectFrom('gardens');",
};
const LISTED = '`gardens`, `ponds`';

test('each table has one writer', () => {
  assert.deepEqual(findTableFaults(new Map(Object.entries(OWNED)), LISTED), []);
  for (const code of ["db.updateTable('gardens').set({ size: 1 });", 'sql`delete from gardens where true`;']) {
    const second = { ...OWNED, [`${SERVER}/features/garden/late.store.ts`]: code };
    assert.match(findTableFaults(new Map(Object.entries(second)), LISTED).join(), /late.store.ts: writes gardens/);
  }
});

test('the page about the architecture lists each table', () => {
  assert.deepEqual(findTableFaults(new Map(Object.entries(OWNED)), '`gardens`'), [
    "docs/architecture.md: doesn't list the table ponds",
  ]);
});

test('a check that would read nothing fails', () => {
  assert.throws(() => findTableFaults(new Map(), LISTED), /no interface Tables/);
  assert.throws(() => readSources('/'));
});

test('imports of every kind are read, and no comment', () => {
  const code =
    'import a from "a";\nimport "b";\nexport * from \'c\';\nawait import("d");\n// from "e"\n/* from "f" */\nconst u = "http://g";\n';
  assert.deepEqual(listImports(code), ['a', 'b', 'c', 'd']);
});

test('imports of the repository by path and alias lead to files', () => {
  const sources = readSources(join(import.meta.dirname, '../..'));
  const isFound = (file: string, name: string) => resolveImport(file, name).some((path) => sources.has(path));
  for (const name of [
    '#platform/',
    '#testing/',
    '@steward/contract/',
    '@steward/server/',
    '@steward/embedded-postgres',
    './',
    '../',
  ]) {
    const named = [...sources].flatMap(([file, code]) =>
      listImports(code).flatMap((each) =>
        each.startsWith(name) && /\.tsx?$/.test(file) ? [[file, each] as const] : [],
      ),
    );
    const found = named.filter(([file, each]) => isFound(file, each));
    assert.ok(found.length > 0 && found.length > named.length * 0.9, `${name}: ${found.length} of ${named.length}`);
  }
});
