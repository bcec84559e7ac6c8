import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Compressed once, and rarely read: the fastest level is half as small again as none. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Version of the rows in an object. A change of the columns of content needs another one, and a way to read this one. */
const ARCHIVE_VERSION = 1;

/** Where an object belongs: authenticated with it, so that no object can take the place of another. */
export interface ObjectPlace {
  teamId: string;
  runId: string;
  number: number;
}

/** What an object is about, before its rows. */
interface Head {
  version: number;
  table: string;
  items: number;
}

/** Why an object can't be used. */
export class ArchiveFault extends Error {}

/** A new key for the archive of a run. */
export function newArchiveKey(): Buffer {
  return randomBytes(32);
}

const toAad = ({ teamId, runId, number }: ObjectPlace) => Buffer.from(`steward-archive ${teamId} ${runId} ${number}`);

/** An object: rows as lines of JSON below a line about them, compressed and encrypted. */
export async function writeObject(
  key: Buffer,
  place: ObjectPlace,
  { lines, ...about }: { table: string; items: number; lines: string },
): Promise<{ content: Buffer; sha256: string }> {
  const head: Head = { version: ARCHIVE_VERSION, ...about };
  const compressed = await compress(Buffer.from(`${JSON.stringify(head)}\n${lines}`), LEVEL);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toAad(place));
  const content = Buffer.concat([nonce, cipher.update(compressed), cipher.final(), cipher.getAuthTag()]);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The rows of an object as lines of JSON. Throws an ArchiveFault if anything isn't as it was written. */
export async function readObject(
  key: Buffer,
  place: ObjectPlace,
  { content, sha256, items }: { content: Buffer; sha256: string; items: number },
): Promise<{ table: string; lines: string[] }> {
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new ArchiveFault('was changed');
  const text = (await decompress(decrypt(key, place, content))).toString('utf8');
  const [first = '', ...lines] = text.split('\n');
  const head = JSON.parse(first) as Head;
  if (head.version !== ARCHIVE_VERSION) throw new ArchiveFault(`has version ${head.version}, which can't be read`);
  if (head.items !== items || lines.length !== items) throw new ArchiveFault("doesn't have all its items");
  return { table: head.table, lines };
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
