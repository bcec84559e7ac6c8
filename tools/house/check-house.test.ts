import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkHouse } from './check-house.ts';
import { brokenDocs } from './house-docs.ts';
import { findMissedFiles, listImports, listTrackedFiles, type Problem, withoutComments } from './house-files.ts';
import { crowdedFolders } from './house-folders.ts';
import { brokenImports } from './house-imports.ts';
import { brokenRooms } from './house-rooms.ts';
import { brokenSuffixes, longFiles } from './house-suffixes.ts';
import { brokenTables } from './house-tables.ts';
import { CLEAN, inMemory, onDisk, type Tree } from './sample-repository.ts';

const ROOM = 'apps/server/src/features/garden/';
const PAGES = 'apps/portal/src/features/garden/';
const LINK = '[a](docs/architecture.md)';

// Inside a git hook these would point every git command below at the wrong repository.
for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE']) delete process.env[name];

/** Rule → [what is wrong, file, text]. */
const PLANTED: Record<string, [string, string, string][]> = {
  sql: [
    ['a route imports Kysely', `${ROOM}b.routes.ts`, "import { sql } from 'kysely';\n"],
    ['a mail imports a type of pg', `${ROOM}b.mail.ts`, "import type { Pool } from 'pg';\n"],
    ['a job loads Kysely late', `${ROOM}b.job.ts`, "await import('kysely');\n"],
    ['a route writes a row', `${ROOM}b.routes.ts`, "db.insertInto('ponds');\n"],
    ['workspace reads rows outside a store', 'apps/server/src/workspace/people.ts', "db.selectFrom('people');\n"],
  ],
  transaction: [
    ['a store opens a transaction', `${ROOM}b.store.ts`, 'db.transaction().execute();\n'],
    ['a route opens one by the helper', `${ROOM}b.routes.ts`, 'await inTransaction(db, work);\n'],
  ],
  env: [
    ['a room reads the environment', `${ROOM}b.routes.ts`, 'export const a = process.env.A;\n'],
    ['platform takes env from process', 'apps/server/src/platform/b.ts', 'const { env } = process;\n'],
    ['main imports env from Node', 'apps/server/src/app/main.ts', "import { env } from 'node:process';\n"],
  ],
  network: [['a route calls a foreign service', `${ROOM}b.routes.ts`, "await fetch('https://x');\n"]],
  pure: [
    ['a rule reads the clock', `${ROOM}b.rules.ts`, 'export const now = () => Date.now();\n'],
    ['a rule reads a store', `${ROOM}b.rules.ts`, "import { a } from './garden.store.ts';\n"],
    ['a form reads storage', `${PAGES}b.form.ts`, "localStorage.getItem('a');\n"],
  ],
  testing: [['main imports what tests use', 'apps/server/src/app/main.ts', "import '#testing/start-app.ts';\n"]],
  imports: [
    ['platform imports workspace', 'apps/server/src/platform/b.ts', "import '#workspace/changes/change.ts';\n"],
    [
      'workspace imports a room',
      'apps/server/src/workspace/changes/b.ts',
      "import '#features/garden/garden.rules.ts';\n",
    ],
    ['a room loads app late', `${ROOM}b.ts`, "await import('#app/main.ts');\n"],
    [
      'a migration imports workspace',
      'apps/server/src/migrations/0001-a.ts',
      "import '../workspace/changes/change.ts';\n",
    ],
    [
      'portal platform climbs up',
      'apps/portal/src/platform/api/b.ts',
      "import '../../workspace/teams/current-team.ts';\n",
    ],
    [
      'the portal imports the server',
      `${PAGES}b.ts`,
      "import type { a } from '@steward/server/src/platform/env.ts';\n",
    ],
    ['the server imports the portal', `${ROOM}b.ts`, "export { a } from '@steward/portal/src/platform/api/api.ts';\n"],
  ],
  suffix: [
    ['a suffix is outside the vocabulary', `${ROOM}b.service.ts`, ''],
    ['a portal file has a server suffix', `${PAGES}b.store.ts`, ''],
    ['a server file has a portal suffix', `${ROOM}b.form.ts`, ''],
  ],
  folder: [['a folder has a catch-all name', 'apps/portal/src/utils/b.ts', '']],
  tables: [
    ['a second store writes a table', `${ROOM}late.store.ts`, "db.updateTable('gardens').set({ a: 1 });\n"],
    ['a second store writes a table by text', `${ROOM}late.store.ts`, 'sql`delete from gardens where true`;\n'],
    ['no page names the owner of a table', 'docs/architecture.md', '[readme](../README.md)\n'],
  ],
  docs: [
    ['a page names a script that is not there', 'README.md', `${LINK} \`npm run standalone\`\n`],
    ['a page names npm test and there is none', 'README.md', `${LINK} \`npm test\`\n`],
    ['a link leads nowhere', 'README.md', `${LINK} [b](docs/gone.md)\n`],
    ['a page names a path that is not there', 'README.md', `${LINK} \`apps/server/src/gone.ts\`\n`],
    ['no page links to a page', 'docs/lost.md', 'No one comes here.\n'],
  ],
};

function findProblems(tree: Tree): Problem[] {
  const house = inMemory(tree);
  const rest = [...brokenSuffixes(house), ...brokenRooms(house), ...brokenTables(house), ...brokenDocs(house)];
  return [...rest, ...brokenImports(house), ...crowdedFolders(house)];
}

const getFiles = (problems: readonly Problem[]) => problems.map(({ rule, file }) => `${rule} ${file}`);

describe('the house rules', () => {
  it('say nothing about a clean tree', () => assert.deepEqual(findProblems(CLEAN), []));

  for (const [rule, rows] of Object.entries(PLANTED)) {
    for (const [wrong, file, text] of rows) {
      it(`notice when ${wrong}`, () => {
        const found = findProblems({ ...CLEAN, [file]: text }).map((problem) => `${problem.rule} ${problem.file}`);
        assert.deepEqual([...new Set(found)], [`${rule} ${file}`]);
      });
    }
  }

  it('notice when a room is missing in the contract or on the server', () => {
    const sides: Tree = {
      'packages/contract/src/pond.ts': '',
      'apps/server/src/features/pond/pond.routes.ts': '',
      'apps/portal/src/features/pond/pond.page.tsx': "import '@steward/contract/pond';\n",
    };
    assert.deepEqual(findProblems({ ...CLEAN, ...sides }), []);
    for (const side of Object.keys(sides).slice(0, 2)) {
      const { [side]: _left, ...others } = sides;
      assert.deepEqual(getFiles(findProblems({ ...CLEAN, ...others })), [`rooms ${side.replace(/(\/pond).*/, '$1')}`]);
    }
  });

  it('allow a room without screens, and screens without calls', () => {
    const api = { 'packages/contract/src/pond.ts': '', 'apps/server/src/features/pond/pond.routes.ts': '' };
    const still = { 'apps/portal/src/features/lake/lake.page.tsx': "import '@steward/contract/api/limits';\n" };
    assert.deepEqual(findProblems({ ...CLEAN, ...api, ...still }), []);
  });

  it('notice when a room imports another room in any way; a test may', () => {
    const pond: Tree = { 'packages/contract/src/pond.ts': '', 'apps/server/src/features/pond/pond.rules.ts': '' };
    for (const line of [
      "import { a } from '#features/garden/garden.rules.ts';\n",
      "import type { A } from '../garden/garden.rules.ts';\n",
      "export { a } from '../garden/garden.rules.ts';\n",
    ]) {
      const file = 'apps/server/src/features/pond/a.ts';
      assert.deepEqual(getFiles(findProblems({ ...CLEAN, ...pond, [file]: line })), [`imports ${file}`], line);
      assert.deepEqual(findProblems({ ...CLEAN, ...pond, [file.replace('.ts', '.test.ts')]: line }), []);
    }
  });

  it('notice when two inner folders of a room import each other; one direction is fine', () => {
    const [beds, tools] = [`${ROOM}beds/a.ts`, `${ROOM}tools/b.ts`];
    const oneWay: Tree = { [beds]: "import '../tools/b.ts';\n", [tools]: "import '../garden.rules.ts';\n" };
    assert.deepEqual(findProblems({ ...CLEAN, ...oneWay }), []);
    const mutual = { ...oneWay, [tools]: "import '../beds/a.ts';\n" };
    assert.deepEqual(getFiles(findProblems({ ...CLEAN, ...mutual })), [`imports ${beds}`]);
  });

  it('notice a folder of 16 files and leave one of 15 alone, as well as a numbered series', () => {
    const fill = (folder: string, count: number): Tree =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/${at}.ts`, '']));
    assert.deepEqual(
      findProblems({ ...CLEAN, ...fill('e2e/garden', 15), ...fill('apps/server/src/migrations', 40) }),
      [],
    );
    assert.deepEqual(getFiles(findProblems({ ...CLEAN, ...fill('e2e/garden', 16) })), ['folders e2e/garden']);
  });

  it('print a file of 301 lines and leave one of 300 alone', () => {
    const tree = {
      'tools/long.ts': '\n'.repeat(301),
      'tools/short.ts': '\n'.repeat(300),
      'tools/x.gen.ts': '\n'.repeat(999),
    };
    assert.deepEqual(longFiles(inMemory(tree)), [{ file: 'tools/long.ts', lines: 301 }]);
  });

  it('read imports of every kind and no comment', () => {
    const code =
      'import a from "a";\nimport "b";\nexport * from \'c\';\nawait import("d");\n// from "e"\n/* from "f" */\nconst u = "http://g";\n';
    assert.deepEqual(listImports(code), ['a', 'b', 'c', 'd']);
    assert.match(withoutComments(code), /http:\/\/g/);
  });
});

describe('a run that saw too little', () => {
  it('fails when it was given no files', () => assert.equal(findMissedFiles([], [], 'x').length, 1));

  it('names the file that git knows and it did not read', () => {
    assert.deepEqual(
      findMissedFiles(['a.ts'], ['a.ts', 'b.ts'], 'x').map(({ file }) => file),
      ['b.ts'],
    );
  });

  it('counts new files, and leaves out deleted and ignored ones', () => {
    using copy = onDisk({ ...CLEAN, '.gitignore': 'secret.txt\n', 'secret.txt': '', 'gone.ts': '' });
    execFileSync('git', ['init', '-q'], { cwd: copy.root });
    execFileSync('git', ['add', '.'], { cwd: copy.root });
    execFileSync('rm', ['gone.ts'], { cwd: copy.root });
    writeFileSync(join(copy.root, 'new.ts'), '');
    assert.deepEqual(listTrackedFiles(copy.root).sort(), ['.gitignore', 'new.ts', ...Object.keys(CLEAN)].sort());
  });

  it('ends the command with 1 and says what is wrong; a clean tree ends with 0', () => {
    using copy = onDisk(CLEAN);
    execFileSync('git', ['init', '-q'], { cwd: copy.root });
    const run = () =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'check-house.ts')], { cwd: copy.root, encoding: 'utf8' });
    const clean = run();
    assert.deepEqual([clean.status, clean.stderr], [0, '']);
    writeFileSync(join(copy.root, `${ROOM}b.service.ts`), '');
    const dirty = run();
    assert.equal(dirty.status, 1);
    assert.match(dirty.stderr, /suffix +apps\/server\/src\/features\/garden\/b\.service\.ts/);
  });

  it('fails outside a git work tree instead of passing with nothing', () => {
    using copy = onDisk(CLEAN);
    assert.throws(() => checkHouse(copy.root));
  });
});
