// The installed packages must match the lock file exactly, with checksums, allowed licenses and known install scripts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { getLicenseProblem, type Licensed } from './license-list.ts';

const root = join(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  license?: string;
  hasInstallScript?: boolean;
}

const locked = Object.entries(json('package-lock.json').packages as Record<string, Locked>);
const foreign = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link);
const getName = (path: string): string => path.split('node_modules/').at(-1) ?? '';

/** Checks that npm would install from the lock file, in a folder with only the manifests. */
function installs(change: (manifests: string) => void = () => undefined): { status: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'steward-lock-'));
  try {
    const workspaces = locked.map(([path]) => path).filter((path) => path !== '' && !path.includes('node_modules'));
    for (const file of [
      'package-lock.json',
      '.npmrc',
      ...['', ...workspaces].map((path) => join(path, 'package.json')),
    ]) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    change(folder);
    const args = ['ci', '--dry-run', '--offline', '--ignore-scripts'];
    return spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the lock file', () => {
  test('matches the manifests, so that npm installs from it alone', () => {
    const { status, stderr } = installs();
    assert.equal(status, 0, stderr);
  });

  test('is refused when a manifest differs', () => {
    const { status } = installs((folder) => {
      const file = join(folder, 'apps/server/package.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"fastify": "[^"]+"/, '"fastify": "1.0.0"'));
    });
    assert.notEqual(status, 0);
  });

  test('has the checksum of every package, and names no registry', () => {
    assert.ok(foreign.length > 300);
    assert.deepEqual(
      foreign.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined),
      [],
    );
    const ours = locked.filter(([path]) => !foreign.some(([other]) => other === path));
    assert.deepEqual(
      ours.filter(
        ([path, { link, resolved }]) =>
          path.includes('node_modules/') && !(link && existsSync(join(root, resolved ?? '?'))),
      ),
      [],
    );
    assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved": "(https?|git|file|ssh):/);
  });

  test('has install scripts only in the packages of allowScripts', () => {
    const running = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => getName(path));
    assert.deepEqual(running.sort(), Object.keys(json('package.json').allowScripts).sort());
  });
});

/** Old manifests have `licenses: [{ type }]`, and some have nothing. */
function getLicense(path: string, { license }: Locked): string {
  if (license !== undefined) return license;
  if (!existsSync(join(root, path, 'package.json'))) return '';
  const { licenses } = json(join(path, 'package.json')) as { licenses?: { type: string }[] };
  return licenses?.[0]?.type ?? STATED[getName(path)] ?? '';
}

/** The licenses are from the package's own files if the manifest has none. */
const STATED: Readonly<Record<string, string>> = { 'humanize-number': 'MIT', only: 'MIT' };

describe('licenses', () => {
  const licensed = foreign.map(([path, entry]): Licensed => {
    return { name: getName(path), license: getLicense(path, entry), isTool: entry.dev === true };
  });

  test('of all packages are allowed', () => {
    assert.deepEqual(licensed.map(getLicenseProblem).filter(Boolean), []);
  });
});
