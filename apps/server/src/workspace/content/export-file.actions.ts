import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { ZipFile } from 'yazl';
import { type Blobs, newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import {
  addPart,
  beginAttempt,
  type ExportKey,
  type ExportRow,
  endExport,
  failStalledExports,
  listExpiredExports,
  removeExport,
} from './exports.store.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from './unreferenced-blobs.store.ts';

/**
 * Size of a piece in bytes: each is held in memory. The file is stored in pieces, since its size isn't known before its
 * end.
 */
const PIECE = 8 * 1024 * 1024;

/** Another attempt took over, or the export was deleted, for example because the user was erased. */
class Superseded extends Error {}

/** The pieces belong to `owner`: the team, or the user whose own export it is. */
interface Attempt extends ExportKey {
  holder: string;
  owner: string;
}

interface Ended {
  state: 'done' | 'failed';
  size: number;
  sha256: string;
}

/**
 * Writes the file of an export. An attempt after a crash begins again and keeps nothing of the earlier one. Returns
 * undefined if the export ended or was deleted. An error fails the export if this is the last attempt, and is thrown.
 */
export async function writeExportFile(
  deps: Deps,
  { isLast, ...key }: ExportKey & { isLast: boolean },
  createFile: (subject: { subjectId: string; requestedBy: string }) => Promise<Readable>,
): Promise<Ended | undefined> {
  const holder = newId();
  const started = await begin(deps, { ...key, holder });
  if (!started) return undefined;
  const attempt: Attempt = { ...key, holder, owner: key.teamId || started.subject_id };
  try {
    const file = await createFile({ subjectId: started.subject_id, requestedBy: started.requested_by });
    const sha256 = await storeFile(deps, attempt, file);
    return await end(deps, attempt, { state: 'done', sha256 });
  } catch (error) {
    if (error instanceof Superseded) return undefined;
    if (isLast) await end(deps, attempt, { state: 'failed', sha256: '' });
    throw error;
  }
}

/** Pieces of a killed attempt are deleted like all unreferenced content. */
async function begin(deps: Deps, place: ExportKey & { holder: string }) {
  return inTransaction(deps.db, async (trx) => {
    const started = await beginAttempt(trx, place, place.holder);
    if (started) await trackUnreferencedBlobs(trx, place.teamId || started.subject_id, started.parts);
    return started;
  });
}

async function end(deps: Deps, attempt: Attempt, ended: Omit<Ended, 'size'>): Promise<Ended | undefined> {
  const row = await endExport(deps.db, attempt, ended);
  return row && { ...ended, size: row.size };
}

async function storeFile(deps: Deps, attempt: Attempt, file: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of toPieces(file)) {
    digest.update(piece);
    await storePiece(deps, attempt, piece);
  }
  return digest.digest('hex');
}

async function* toPieces(stream: Readable): AsyncIterable<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PIECE) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** The piece is tracked before it is written, so that it is deleted if no export refers to it. */
async function storePiece({ db, blobs }: Deps, attempt: Attempt, piece: Buffer): Promise<void> {
  const key = newBlobKey(attempt.owner, 'person_export');
  await inTransaction(db, (trx) => trackUnreferencedBlobs(trx, attempt.owner, [key]));
  await blobs.put(key, piece);
  await inTransaction(db, async (trx) => {
    const isOurs = await addPart(trx, attempt, { key, size: piece.length });
    if (!isOurs || !(await claimUnreferencedBlobs(trx, [key]))) throw new Superseded();
  });
}

/**
 * Fails stalled exports and deletes those of seven days ago. The file is deleted before the row, so that no file is left
 * without a row.
 */
export async function removeExpiredExports({ db, blobs }: Deps): Promise<void> {
  await failStalledExports(db);
  for (;;) {
    const expired = await listExpiredExports(db);
    for (const row of expired) {
      for (const key of row.parts) await blobs.remove(key);
      await removeExport(db, row);
    }
    if (expired.length === 0) return;
  }
}

/** Sends the pieces of an export one after the other; refuses while there is no file. */
export async function sendExportFile(
  blobs: Blobs,
  reply: FastifyReply,
  { row, name }: { row: ExportRow; name: string },
): Promise<FastifyReply> {
  const [first] = row.parts;
  const firstPiece = row.state === 'done' && first !== undefined ? await blobs.get(first) : undefined;
  if (!firstPiece) refuse('record.not_found');
  async function* read() {
    yield* firstPiece as Readable;
    for (const key of row.parts.slice(1)) {
      const piece = await blobs.get(key);
      if (!piece) throw new Error(`piece ${key} of export ${row.id} is gone`);
      yield* piece;
    }
  }
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', row.size)
    .header('cache-control', 'no-store')
    .type('application/zip')
    .send(Readable.from(read(), { objectMode: false }));
}

/** Adds one file to an archive and waits until it has been read, so that no two streams are open. */
export async function addZipEntry(zip: ZipFile, path: string, content: Readable): Promise<void> {
  const output = zip.outputStream as Readable;
  zip.addReadStream(content, path);
  const abort = () => content.destroy(new Error('the export was aborted'));
  output.once('close', abort);
  try {
    await finished(content);
  } finally {
    output.off('close', abort);
  }
}

/** Path of a file in an archive: its id, and the characters of its name that are safe in any system. */
export function getContentPath(folder: string, { id, name }: { id: unknown; name: unknown }): string {
  const safe = String(name)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-100);
  return `${folder}/${id}${safe === '' ? '' : `-${safe}`}`;
}
