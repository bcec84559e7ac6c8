import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Hashes the names and contents of files and folders of the repository. A build stores the hash to know its sources. */
export async function hashSources(sources: readonly string[], isSource = (_file: string) => true): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of (await listFiles(join(ROOT, source))).sort()) {
      if (!isSource(file)) continue;
      hash.update(relative(ROOT, file)).update('\0');
      hash.update(
        createHash('sha256')
          .update(await readFile(file))
          .digest(),
      );
    }
  }
  return hash.digest('hex');
}

/** Lists the files below a folder, or the file itself. */
export async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOTDIR') return undefined;
      throw cause;
    },
  );
  if (entries === undefined) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
