// The built server has two files of JavaScript, which start three times faster than its 1,900 modules (decision 0001).
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { hashSources } from './build-stamp.ts';
import { withFileLock } from './file-lock.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'apps/server');
const DIST = join(SERVER, 'dist');
/** The stamp is written last, so that an interrupted build has none and is repeated. */
const STAMP = join(DIST, '.built-from');
const LOCK = join(ROOT, 'node_modules/.steward-server-build');

export const BUILT_SERVER: string = join(DIST, 'main.js');

const SOURCES = [
  'apps/server/src',
  'apps/server/package.json',
  'packages/contract',
  'packages/embedded-postgres',
  'packages/liquid',
  'package-lock.json',
  'tools/build/build-server.ts',
  'tools/build/build-stamp.ts',
];
const isSource = (file: string) => !file.endsWith('.test.ts');

/**
 * These packages stay in node_modules, because they have native code or files that they find themselves (argon2, PostgreSQL) or
 * threads (pino), are loaded by few servers (S3, sample data), or have modules that a bundler can't follow (jsonc-parser).
 */
const EXTERNAL = [
  '@aws-sdk',
  '@faker-js/faker',
  '@jsquash',
  '@node-rs/argon2',
  'embedded-postgres',
  'flydrive',
  'jsonc-parser',
  'pino',
];
const isExternal = (id: string) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`));

/** Builds the server if its sources changed since the last build. Returns true if it did. */
export async function buildServer(): Promise<boolean> {
  const sources = await hashSources(SOURCES, isSource);
  const isBuilt = async () => (await readFile(STAMP, 'utf8').catch(() => '')) === sources;
  if (await isBuilt()) return false;
  return withFileLock(LOCK, async () => {
    // Another process may have built it during the wait.
    if (await isBuilt()) return false;
    await rm(STAMP, { force: true });
    await bundle({ main: join(SERVER, 'src/app/main.ts') }, DIST);
    await writeFile(STAMP, sources);
    return true;
  });
}

/** Writes each program, by its name, and what they share into a directory. */
export async function bundle(programs: Record<string, string>, directory: string): Promise<void> {
  // Only a build needs the bundler, and most starts don't build.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: programs,
    platform: 'node',
    external: isExternal,
    plugins: [keepLocations(directory)],
  });
  const { output } = await build.generate({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
  });
  await build.close();
  await mkdir(directory, { recursive: true });
  for (const file of output) if (file.type === 'chunk') await writeFile(join(directory, file.fileName), file.code);
}

/** A module must still find the files next to its source: threads, package.json, the portal. */
const keepLocations = (directory: string): Plugin => ({
  name: 'keep-locations',
  transform(code, id) {
    // The bundler's own modules have no file, so their path would be that of the working directory.
    if (!isAbsolute(id) || isPackage(id) || !code.includes('import.meta.')) return null;
    const file = relative(directory, id).replaceAll(sep, '/');
    const located = code
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(file)}`)})`);
    return { code: located, map: null };
  },
});

const isPackage = (file: string) => file.includes(`${sep}node_modules${sep}`);

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log((await buildServer()) ? 'The server was built.' : 'The server is up to date.');
}
