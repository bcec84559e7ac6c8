import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { addLicenses } from '../docs/portal-licenses.ts';
import { hashSources, listFiles } from './build-stamp.ts';
import { withFileLock } from './file-lock.ts';

const ROOT = join(import.meta.dirname, '../..');
const PORTAL = join(ROOT, 'apps/portal');
const DIST = join(PORTAL, 'dist');
/** The stamp is written last, so that an interrupted build has none and is repeated. */
const STAMP = join(DIST, '.built-from');

const LOCK = join(ROOT, 'node_modules/.steward-portal-build');

const SOURCES = [
  'apps/portal/src',
  'apps/portal/public',
  'apps/portal/index.html',
  'apps/portal/package.json',
  'apps/portal/vite.config.ts',
  'apps/portal/build',
  'docs/guide',
  'packages/contract/src',
  'package-lock.json',
  'tools/build/build-portal.ts',
  'tools/build/build-stamp.ts',
  'tools/docs/portal-licenses.ts',
];
const GENERATED = 'route-tree.gen.ts';
const isSource = (file: string) => !file.endsWith(GENERATED) && !file.endsWith('.test.ts');

const COMPRESSED = new Set(['.js', '.css', '.svg']);
/** Smaller files gain nothing from compression. Bytes. */
const COMPRESS_FROM = 1_024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Builds the portal if its sources changed since the last build, or if forced. Returns true if it did. */
export async function buildPortal({ force = false }: { force?: boolean } = {}): Promise<boolean> {
  const sources = await hashSources(SOURCES, isSource);
  const isBuilt = async () => (await readFile(STAMP, 'utf8').catch(() => '')) === sources;
  if (!force && (await isBuilt())) return false;
  return withFileLock(LOCK, async () => {
    // Another process may have built it during the wait.
    if (!force && (await isBuilt())) return false;
    await runVite();
    await addLicenses(join(DIST, 'licences.md'), join(ROOT, 'node_modules'));
    for (const file of await listFiles(DIST)) await compress(file);
    await writeFile(STAMP, sources);
    return true;
  });
}

/** Vite runs in a separate process, so that its memory is free before the server starts. */
async function runVite(): Promise<void> {
  const vite = createRequire(join(PORTAL, 'package.json')).resolve('vite/package.json');
  const child = spawn(process.execPath, [join(vite, '../bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: PORTAL,
    // Vitest sets NODE_ENV, which would make React a development build.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The bundler ends with this process.
  const stop = () => child.kill();
  process.once('exit', stop);
  const [code] = await once(child, 'exit');
  process.off('exit', stop);
  if (code !== 0) throw new Error('The portal could not be built; see the lines above.');
}

async function compress(file: string): Promise<void> {
  if (!COMPRESSED.has(extname(file))) return;
  const bytes = await readFile(file);
  if (bytes.length < COMPRESS_FROM) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((small) => writeFile(`${file}.br`, small)),
    gzipped(bytes, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
  ]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const built = await buildPortal({ force: process.argv.includes('--force') });
  console.log(built ? 'The portal was built.' : 'The portal is up to date.');
}
