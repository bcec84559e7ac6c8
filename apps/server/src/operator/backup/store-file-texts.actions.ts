import { createHash } from 'node:crypto';
import { type Blobs, newBlobKey } from '#platform/blobs/blobs.ts';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { bulkInsertFiles } from '#workspace/content/files.store.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import type { GeneratedFile } from '../sample-data/generate-content.ts';

/** So many blobs are written at once. */
const AT_ONCE = 16;

/**
 * Writes the texts of made-up files where blobs lie, before there are rows for them: noted as loose, so that they are
 * tidied up if it never comes to that.
 */
export async function storeFileTexts(
  { db, blobs }: { db: Database; blobs: Blobs },
  teamId: string,
  made: readonly GeneratedFile[],
): Promise<GeneratedFile[]> {
  const kept = made.map(({ file, text }) => {
    if (text === undefined) return { file, text };
    const digest = createHash('sha256').update(text).digest('base64url');
    return { file: { ...file, blob: newBlobKey(teamId, 'file'), digest }, text };
  });
  await inTransaction(db, (trx) => trackUnreferencedBlobs(trx, teamId, toKeys(kept)));
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    const some = kept.slice(from, from + AT_ONCE);
    await Promise.all(some.map(({ file, text }) => file.blob && blobs.put(file.blob, Buffer.from(text ?? ''))));
  }
  return kept;
}

/** Adds files whose texts are kept already, and answers how many came. */
export async function insertStoredFiles(trx: Trx, teamId: string, kept: readonly GeneratedFile[]): Promise<number> {
  const files = kept.map(({ file }) => file);
  const added = new Set(await bulkInsertFiles(trx, teamId, files));
  const taken = toKeys(kept.filter(({ file }) => added.has(file.id)));
  if (!(await claimUnreferencedBlobs(trx, taken)))
    throw new Error('what was written for these files was tidied up meanwhile');
  return added.size;
}

function toKeys(kept: readonly GeneratedFile[]): string[] {
  return kept.flatMap(({ file }) => file.blob ?? []);
}
