import { buffer } from 'node:stream/consumers';
import type { Deps } from '#platform/deps.ts';
import type { ArchivedRows } from '#workspace/content/archive-rows.rules.ts';
import { openArchiveKey } from '../archive/archive-key.ts';
import { ArchiveFault, readObject } from '../archive/archive-object.ts';
import type { ArchivedObject } from '../archive/archives.store.ts';
import type { RunKey } from '../runs/runs.store.ts';

/** Throws an ArchiveFault if the key was encrypted with another SECRET_KEY. */
export function openKey({ secrets }: Pick<Deps, 'secrets'>, sealed: string): Buffer {
  try {
    return openArchiveKey(secrets, sealed);
  } catch {
    throw new ArchiveFault("The key of the archive can't be decrypted with this SECRET_KEY.");
  }
}

/** Throws an ArchiveFault that names the object and its fault. */
export async function readArchivedRows(
  { blobs }: Pick<Deps, 'blobs'>,
  { teamId, runId, key }: RunKey & { key: Buffer },
  { number, blob, sha256, items }: ArchivedObject,
): Promise<ArchivedRows> {
  const toFault = (what: string) => new ArchiveFault(`Object ${number} of the archive (${blob}) ${what}.`);
  const stream = await blobs.get(blob);
  if (stream === undefined) throw toFault('is missing');
  const content = await buffer(stream);
  try {
    return await readObject(key, { teamId, runId, number }, { content, sha256, items });
  } catch (error) {
    throw toFault(error instanceof ArchiveFault ? error.message : "can't be read");
  }
}
