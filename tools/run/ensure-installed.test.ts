import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

const LOCK = {
  packages: {
    '': { name: 'house', version: '1.0.0' },
    'node_modules/node': { version: '24.0.0', dev: true },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  },
};

// A fake npm: records its calls, and installs Node in the calls that INSTALLS names.
const NPM = `
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
const verb = process.argv[2];
appendFileSync('called', verb + '\\n');
console.warn('npm warn EBADENGINE Unsupported engine');
mkdirSync('node_modules/node/bin', { recursive: true });
copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
if (process.env.INSTALLS.split(',').includes(verb)) {
  writeFileSync('node_modules/node/bin/node', '#!/bin/sh\\necho v24.0.0\\n');
  chmodSync('node_modules/node/bin/node', 0o755);
}
`;

interface Clone extends Disposable {
  path: string;
  run(installs: string): { status: number | null; said: string; called: string[] };
}

function createClone(): Clone {
  const path = mkdtempSync(join(tmpdir(), 'steward-clone-'));
  mkdirSync(join(path, 'tools/run'), { recursive: true });
  cpSync(join(import.meta.dirname, 'ensure-installed.mjs'), join(path, 'tools/run/ensure-installed.mjs'));
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(path, 'package-lock.json'), JSON.stringify(LOCK));
  writeFileSync(join(path, 'npm.js'), NPM);
  const log = join(path, 'called');
  return {
    path,
    run: (installs) => {
      rmSync(log, { force: true });
      const env = { INSTALLS: installs, npm_execpath: join(path, 'npm.js') };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run/ensure-installed.mjs'], {
        cwd: path,
        env,
        encoding: 'utf8',
      });
      const called = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      return { status, said: stdout + stderr, called };
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

test('a fresh clone is installed once with one line of output, and the second run does and prints nothing', () => {
  using fresh = createClone();
  const { said, ...first } = fresh.run('ci');
  assert.deepEqual(first, { status: 0, called: ['ci'] });
  assert.match(said, /^Installing packages: \d+ s\n$/);
  assert.deepEqual(fresh.run('ci'), { status: 0, said: '', called: [] });
});

test('a lock file with another version is installed, one that was only touched is not', () => {
  using changed = createClone();
  changed.run('ci');
  const lock = join(changed.path, 'package-lock.json');
  writeFileSync(lock, JSON.stringify(LOCK, null, 2));
  assert.deepEqual(changed.run('ci').called, []);
  const workspace = { tools: { version: '1.0.0' } };
  writeFileSync(lock, JSON.stringify({ packages: { ...LOCK.packages, ...workspace } }));
  assert.deepEqual(changed.run('ci').called, [], 'the manifest of a workspace alone needs no installation');
  writeFileSync(lock, JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/new': { version: '2.0.0' } } }));
  assert.deepEqual(changed.run('ci').called, ['ci']);
});

test('a pinned Node that is missing is fetched by its install script alone', () => {
  using bare = createClone();
  const { status, called } = bare.run('rebuild');
  assert.deepEqual({ status, called }, { status: 0, called: ['ci', 'rebuild'] });
});

test('where install scripts are off, the failure says what to do', () => {
  using locked = createClone();
  const { status, said } = locked.run('nothing');
  assert.equal(status, 1);
  assert.match(said, /Node 24\.0\.0 is missing.*npm ci --ignore-scripts=false/);
});

test('an installation that fails shows what npm printed and ends with a failure', () => {
  using broken = createClone();
  writeFileSync(join(broken.path, 'npm.js'), 'console.error("npm error no space left"); process.exit(7);');
  const { status, said } = broken.run('ci');
  assert.equal(status, 1);
  assert.match(said, /npm error no space left\n.*npm ci .* failed/s);
});
