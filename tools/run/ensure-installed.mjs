// Runs before the scripts of package.json, on whatever Node the machine has (20 or newer): built-ins only, no TypeScript.
// Installs the dependencies when they are absent or not those of the lock file; says nothing when all is well.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SCRIPTS_ON = '--ignore-scripts=false';

if (!isInstalled()) await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
// The pinned Node is fetched by an install script, which a machine may have switched off.
if (!hasPinnedNode()) await npm(['rebuild', 'node', SCRIPTS_ON]);
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

/** Runs npm with one line of output: the time it takes. Its own output is shown when it fails. */
async function npm(args) {
  const started = Date.now();
  const line = () => `Installing packages: ${Math.round((Date.now() - started) / 1000)} s`;
  const progress = process.stdout.isTTY ? setInterval(() => process.stdout.write(`\r${line()}`), 1_000) : undefined;
  const { code, output } = await run(args);
  clearInterval(progress);
  console.log(`${progress ? '\r' : ''}${line()}`);
  if (code === 0) return;
  console.error(output);
  fail(`npm ${args.join(' ')} failed; its messages are above.`);
}

function run(args) {
  // Inside a script npm names itself, so that the npm that was called is the npm that installs.
  const self = process.env.npm_execpath;
  const [command, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  const shell = command === 'npm' && process.platform === 'win32';
  // Some packages want a newer Node than the one that runs npm. They get it: the pinned one is among the packages.
  const quiet = ['--loglevel=error', '--no-progress'];
  const child = spawn(command, [...first, ...args, ...quiet], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: 1, output: message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
