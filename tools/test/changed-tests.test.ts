import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'vitest';
import { changedTests, testsOf } from './changed-tests.ts';

const TREE = {
  'apps/server/src/platform/clock.ts': 'export const now = 0;\n',
  'apps/server/src/platform/clock.test.ts': "import './clock.ts';\n",
  'apps/server/src/app/features.ts': "import '#features/garden/garden.ts';\nimport '#features/pond/pond.ts';\n",
  'apps/server/testing/app/start-app.ts': "import '#app/features.ts';\n",
  'apps/server/src/features/garden/garden.ts': "import '#platform/clock.ts';\n",
  'apps/server/src/features/garden/garden.test.ts': "import '#testing/app/start-app.ts';\n",
  'apps/server/src/features/pond/pond.ts': 'export const pond = 1;\n',
  'apps/server/src/features/pond/pond.test.ts': "import '#testing/app/start-app.ts';\n",
  'e2e/garden/garden.spec.ts': 'export {};\n',
};

test('a change selects the tests that import it, and those of its feature, but not all that start the app', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'steward-changed-'));
  const root = folder.path;
  for (const [file, code] of Object.entries(TREE)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), code);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--message=all');
  const tests = Object.keys(TREE).filter((file) => file.endsWith('.test.ts'));
  const select = (...changed: string[]) => {
    for (const file of changed) appendFileSync(join(root, file), '// changed\n');
    const all = tests.map((file) => join(root, file));
    const selected = changedTests(root, 'HEAD', all);
    git('checkout', '--', '.');
    return [...selected.tests.map((file) => relative(root, file)), ...selected.specs];
  };
  assert.deepEqual(select(), []);
  const ofClock = testsOf(
    root,
    'apps/server/src/platform/clock.ts',
    tests.map((file) => join(root, file)),
  );
  assert.deepEqual(ofClock, [join(root, 'apps/server/src/platform/clock.test.ts')]);
  assert.deepEqual(select('apps/server/src/features/pond/pond.ts'), ['apps/server/src/features/pond/pond.test.ts']);
  assert.deepEqual(select('apps/server/src/features/garden/garden.ts'), [
    'apps/server/src/features/garden/garden.test.ts',
    'e2e/garden',
  ]);
  assert.deepEqual(select('apps/server/src/platform/clock.ts'), ['apps/server/src/platform/clock.test.ts']);
});
