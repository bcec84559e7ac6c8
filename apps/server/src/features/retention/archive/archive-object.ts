import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { type ArchivedRows, readCopyRow } from '#workspace/content/archive-rows.rules.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A change of the object format needs a new version, and code that still reads this one and the first, `readCopyRow`. */
const ARCHIVE_VERSION = 2;

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

/** An object: a line about the rows and one for each of them, compressed and encrypted. */
export async function writeObject(
  key: Buffer,
  place: ObjectPlace,
  { lines, ...about }: { version?: number; table: string; columns: readonly string[]; lines: readonly string[] },
): Promise<{ content: Buffer; sha256: string }> {
  const head: Head = { version: ARCHIVE_VERSION, ...about };
  const compressed = await compress([JSON.stringify(head), ...lines].join('\n'), LEVEL);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toAad(place));
  const content = Buffer.concat([nonce, cipher.update(compressed), cipher.final(), cipher.getAuthTag()]);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Throws an ArchiveFault if an object differs from the one that was written. */
export async function readObject(
  key: Buffer,
  place: ObjectPlace,
  { content, sha256, items }: { content: Buffer; sha256: string; items: number },
): Promise<ArchivedRows> {
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new ArchiveFault('was changed');
  const [first = '', ...rows] = (await decompress(decrypt(key, place, content))).toString().split('\n');
  const { version, columns } = JSON.parse(first) as Head;
  if (version > ARCHIVE_VERSION) throw new ArchiveFault(`has version ${version}, which can't be read`);
  // In the first version, each row ends with a line feed.
  const lines = version === 1 ? rows.slice(0, -1).map((row) => readCopyRow(columns, row)) : rows;
  if (lines.length !== items) throw new ArchiveFault("doesn't have all its items");
  return { columns, lines };
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
