// This runs before the scripts of package.json on any Node of version 20 or newer, so it uses built-ins only and no TypeScript. It
// installs the dependencies if they are absent or not those of the lock file, and prints nothing otherwise.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SCRIPTS_ON = '--ignore-scripts=false';

if (!isInstalled()) await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
// An install script downloads the pinned Node, and a machine may have turned such scripts off.
if (!hasPinnedNode()) await npm(['rebuild', 'node', SCRIPTS_ON]);
if (!hasPinnedNode()) {
  fail(
    `Node ${pinnedNode()} is missing in node_modules: its install script did not run. Allow install scripts ` +
      `(npm config set ignore-scripts false) and run: npm ci ${SCRIPTS_ON}`,
  );
}

/** Contents are compared and not times, because a checkout touches the lock file without changing it. */
function isInstalled() {
  const installed = listPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  return Object.entries(listPackages('package-lock.json') ?? {}).every(([path, wanted]) => {
    // These are the manifests of the root and its workspaces, whose dependencies are below node_modules.
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // Packages for other platforms are only in the lock file.
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

/** Prints one line while npm runs, because it takes some time, and npm's own output only if it fails. */
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
  // Inside a script npm sets its own path, so the npm that was called also installs.
  const self = process.env.npm_execpath;
  const [command, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  const shell = command === 'npm' && process.platform === 'win32';
  // Some packages need a newer Node than the one that runs npm. They get the pinned one, which is among the packages.
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
