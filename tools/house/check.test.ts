import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { CLEAN, onDisk } from './sample-repository.ts';

const root = join(import.meta.dirname, '../..');

// Inside a git hook these would point git at the wrong repository.
for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE']) delete process.env[name];

describe('npm run check', () => {
  let status: number | null = 0;
  let said = '';

  before(() => {
    using copy = onDisk({ ...CLEAN, 'extra/loose.ts': 'export const loose = 1;\n', 'tools/hidden.ts': 'export {};\n' });
    for (const file of ['tsconfig.json', 'knip.jsonc']) cpSync(join(root, file), join(copy.root, file));
    const lint = readFileSync(join(root, 'biome.json'), 'utf8').replace('"!**/*.md"', '"!**/*.md", "!**/hidden.ts"');
    writeFileSync(join(copy.root, 'biome.json'), lint);
    symlinkSync(join(root, 'node_modules'), join(copy.root, 'node_modules'));
    execFileSync('git', ['init', '-q'], { cwd: copy.root });
    const run = spawnSync(process.execPath, [join(root, 'tools/house/check.ts'), copy.root], { encoding: 'utf8' });
    status = run.status;
    said = run.stdout + run.stderr;
  });

  it('fails when a source file belongs to no tsconfig', () => {
    assert.match(said, /^extra\/loose\.ts: git knows this file, tsc did not read it$/m);
  });

  it('fails when Biome ignores a file', () => {
    assert.match(said, /^tools\/hidden\.ts: git knows this file, Biome did not read it$/m);
  });

  it('names each failed tool once and ends with 1', () => {
    assert.equal(status, 1);
    assert.match(said, /^FAIL {2}tsc$/m);
    assert.match(said, /^FAIL {2}biome$/m);
    assert.match(said, /^FAIL {2}knip$/m);
    assert.match(said, /^ok {4}house +\d+ files$/m);
  });
});
