// Runs before the scripts of package.json, on whatever Node the machine has (20 or newer): built-ins only, no TypeScript.
// Installs the dependencies when they are absent or not those of the lock file; says nothing when all is well.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SCRIPTS_ON = '--ignore-scripts=false';

if (!isInstalled()) npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
// The pinned Node is fetched by an install script, which a machine may have switched off.
if (!hasPinnedNode()) npm(['rebuild', 'node', SCRIPTS_ON]);
if (!hasPinnedNode()) {
  fail(
    `Node ${pinnedNode()} is missing in node_modules: its install script did not run. Allow install scripts ` +
      `(npm config set ignore-scripts false) and run: npm ci ${SCRIPTS_ON}`,
  );
}

/** By content, not by time: a checkout touches the lock file without changing it. */
function isInstalled() {
  const installed = listPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  return Object.entries(listPackages('package-lock.json') ?? {}).every(([path, wanted]) => {
    // The manifests of the root and its workspaces: what they need is below node_modules.
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // Packages for other platforms are in the lock file alone.
    if (found === undefined) return wanted.optional === true;
    return JSON.stringify(found) === JSON.stringify(wanted);
  });
}

function hasPinnedNode() {
  const { stdout } = spawnSync(join(repository, 'node_modules', 'node', 'bin', 'node'), ['--version'], {
    encoding: 'utf8',
  });
  return stdout?.trim() === `v${pinnedNode()}`;
}

function pinnedNode() {
  return listPackages('package-lock.json')?.['node_modules/node']?.version;
}

function listPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(join(repository, lockFile), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function npm(args) {
  // Inside a script npm names itself, so that the npm that was called is the npm that installs.
  const self = process.env.npm_execpath;
  const [command, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  const shell = command === 'npm' && process.platform === 'win32';
  const { status, error } = spawnSync(command, [...first, ...args], { cwd: repository, stdio: 'inherit', shell });
  if (status !== 0) fail(`npm ${args.join(' ')} failed${error ? `: ${error.message}` : '; its messages are above'}.`);
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
