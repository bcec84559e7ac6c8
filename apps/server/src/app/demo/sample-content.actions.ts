import { createHash } from 'node:crypto';
import { type Blobs, newBlobKey } from '#platform/blobs/blobs.ts';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { recordPosts } from '#workspace/channels/channels.store.ts';
import { bulkInsertFiles } from '#workspace/content/files.store.ts';
import { bulkInsertMessages, type MessageInsert } from '#workspace/content/messages.store.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import type { GeneratedFile } from './sample-data/generate-content.ts';

/** Number of blobs that are written at the same time. */
const AT_ONCE = 16;

/**
 * Stores the texts of generated files as blobs before their rows are inserted. They are tracked as unreferenced, so that
 * the cleanup deletes them if the rows never come.
 */
export async function storeFileTexts(
  { db, blobs }: { db: Database; blobs: Blobs },
  teamId: string,
  files: readonly GeneratedFile[],
): Promise<GeneratedFile[]> {
  const stored = files.map(({ file, text }) => {
    if (text === undefined) return { file, text };
    const digest = createHash('sha256').update(text).digest('base64url');
    return { file: { ...file, blob: newBlobKey(teamId, 'file'), digest }, text };
  });
  await inTransaction(db, (trx) => trackUnreferencedBlobs(trx, teamId, toKeys(stored)));
  for (let from = 0; from < stored.length; from += AT_ONCE) {
    const some = stored.slice(from, from + AT_ONCE);
    await Promise.all(some.map(({ file, text }) => file.blob && blobs.put(file.blob, Buffer.from(text ?? ''))));
  }
  return stored;
}

/** Adds files whose texts are already stored. Returns the number of new files. */
export async function insertStoredFiles(trx: Trx, teamId: string, stored: readonly GeneratedFile[]): Promise<number> {
  const files = stored.map(({ file }) => file);
  const added = new Set(await bulkInsertFiles(trx, teamId, files));
  const claimed = toKeys(stored.filter(({ file }) => added.has(file.id)));
  if (!(await claimUnreferencedBlobs(trx, claimed)))
    throw new Error('the cleanup deleted the texts of these files before their rows were added');
  return added.size;
}

/** Adds messages and records each channel's latest post. Returns the number of new messages. */
export async function addMessages(trx: Trx, teamId: string, messages: readonly MessageInsert[]): Promise<number> {
  const added = await bulkInsertMessages(trx, teamId, messages);
  const last = new Map<string, number>();
  for (const { channel_id, create_at } of messages)
    last.set(channel_id, Math.max(create_at, last.get(channel_id) ?? 0));
  if (added > 0) await recordPosts(trx, teamId, last);
  return added;
}

function toKeys(files: readonly GeneratedFile[]): string[] {
  return files.flatMap(({ file }) => file.blob ?? []);
}
