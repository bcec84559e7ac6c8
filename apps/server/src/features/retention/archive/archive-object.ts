import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib';
import type { ArchivedRows } from '#workspace/content/archive-rows.rules.ts';

const decompress = promisify(zstdDecompress);

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const LINE_FEED = 10;

/** A change of the object format needs a new version, and code that still reads this one. */
const ARCHIVE_VERSION = 1;

/** Authenticated with the object, so that no object can be exchanged for another. */
export interface ObjectPlace {
  teamId: string;
  runId: string;
  number: number;
}

interface Head {
  version: number;
  table: string;
  columns: readonly string[];
}

export class ArchiveFault extends Error {}

export function newArchiveKey(): Buffer {
  return randomBytes(32);
}

const toAad = ({ teamId, runId, number }: ObjectPlace) => Buffer.from(`steward-archive ${teamId} ${runId} ${number}`);

/** An object: rows in the text format of COPY below a line about them, compressed and encrypted as they arrive. */
export async function writeObject(
  key: Buffer,
  place: ObjectPlace,
  { rows, ...about }: { table: string; columns: readonly string[]; rows: AsyncIterable<Buffer> },
): Promise<{ content: Buffer; sha256: string }> {
  const head: Head = { version: ARCHIVE_VERSION, ...about };
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toAad(place));
  const written: Buffer[] = [nonce];
  await pipeline(withHead(head, rows), createZstdCompress(LEVEL), async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) written.push(cipher.update(chunk));
  });
  const content = Buffer.concat([...written, cipher.final(), cipher.getAuthTag()]);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

async function* withHead(head: Head, rows: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  yield* rows;
}

/** Throws an ArchiveFault if an object differs from the one that was written. */
export async function readObject(
  key: Buffer,
  place: ObjectPlace,
  { content, sha256, items }: { content: Buffer; sha256: string; items: number },
): Promise<ArchivedRows & { table: string } & Disposable> {
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new ArchiveFault('was changed');
  const whole = await decompress(decrypt(key, place, content));
  const start = whole.indexOf(LINE_FEED) + 1;
  const head = JSON.parse(whole.toString('utf8', 0, start)) as Head;
  if (head.version !== ARCHIVE_VERSION) throw new ArchiveFault(`has version ${head.version}, which can't be read`);
  const text = whole.subarray(start);
  if (countLines(text) !== items) throw new ArchiveFault("doesn't have all its items");
  return { table: head.table, columns: head.columns, text, [Symbol.dispose]: () => free(whole) };
}

/** Frees a buffer without other references: V8 would keep 64 MiB of them before it collects any. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

function decrypt(key: Buffer, place: ObjectPlace, content: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, content.subarray(0, NONCE_BYTES)).setAAD(toAad(place));
    decipher.setAuthTag(content.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new ArchiveFault("can't be decrypted: it has another key, or was changed");
  }
}
