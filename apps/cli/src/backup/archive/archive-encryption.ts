import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { Mistake } from '../../command.ts';
import { cut } from './cut.ts';

// An encrypted file is a header and chunks, each of them AES-256-GCM of up to 64 KiB followed by its tag. The key is derived from
// SECRET_KEY with the salt in the header. The nonce of a chunk is the header's prefix, the number of the chunk, and whether it is
// the last one (STREAM of Hoang, Reyhanitabar, Rogaway and Vizár), and the header is its associated data. No chunk can therefore be
// changed, moved, left out, added or taken from another file.

const CIPHER = 'aes-256-gcm';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;

const MAGIC = Buffer.from('steward-backup/2\n');
const ID_END = MAGIC.length + 8;
const SALT_END = ID_END + 32;
/** Magic, key id, salt and the prefix of the nonces. */
export const HEADER_BYTES = SALT_END + 7;

export type Transform = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

export function isEncrypted(start: Buffer): boolean {
  return start.length === HEADER_BYTES && start.subarray(0, MAGIC.length).equals(MAGIC);
}

export function encryptionFor(secrets: Secrets): Transform {
  return async function* encrypt(source) {
    const header = Buffer.concat([MAGIC, getKeyId(secrets), randomBytes(HEADER_BYTES - ID_END)]);
    yield header;
    const key = deriveFileKey(secrets, header);
    let count = 0;
    for await (const { chunk, isLast } of cut(source, CHUNK_BYTES)) {
      const cipher = createCipheriv(CIPHER, key, getNonce(header, count, isLast)).setAAD(header);
      yield cipher.update(chunk);
      cipher.final();
      yield cipher.getAuthTag();
      count += 1;
    }
  };
}

/** Decrypts the chunks after a header. Yields only authentic bytes, and throws a Mistake at the first change. */
export function decryptionFor(secrets: Secrets, header: Buffer, file: string): Transform {
  const given = header.subarray(MAGIC.length, ID_END);
  if (!getKeyId(secrets).equals(given)) throw otherKey(file, given, getKeyId(secrets));
  const key = deriveFileKey(secrets, header);
  return async function* decrypt(source) {
    let count = 0;
    for await (const { chunk, isLast } of cut(source, CHUNK_BYTES + TAG_BYTES)) {
      const plain = openChunk(key, chunk, { header, nonce: getNonce(header, count, isLast) });
      if (plain === undefined) throw altered();
      yield plain;
      count += 1;
    }
  };
}

export function altered(): Mistake {
  return new Mistake('The backup is damaged or was altered. Nothing was restored.');
}

function otherKey(file: string, its: Buffer, given: Buffer): Mistake {
  const ids = `its id is ${its.toString('hex')}, not ${given.toString('hex')}`;
  return new Mistake(
    `${file} was written with another SECRET_KEY (${ids}). Give that key with --key-file. Nothing was restored.`,
  );
}

/** Distinguishes keys without revealing anything about them. */
function getKeyId(secrets: Secrets): Buffer {
  return Buffer.from(secrets.sign('backup.key-id', ''), 'base64url').subarray(0, ID_END - MAGIC.length);
}

function deriveFileKey(secrets: Secrets, header: Buffer): KeyObject {
  return secrets.deriveKey('backup.file', header.subarray(ID_END, SALT_END));
}

function getNonce(header: Buffer, count: number, isLast: boolean): Buffer {
  const end = Buffer.alloc(5);
  // Throws after 2^32 chunks, which are 256 TiB: a nonce is never used twice.
  end.writeUInt32BE(count);
  end.writeUInt8(isLast ? 1 : 0, 4);
  return Buffer.concat([header.subarray(SALT_END), end]);
}

function openChunk(
  key: KeyObject,
  chunk: Buffer,
  { header, nonce }: { header: Buffer; nonce: Buffer },
): Buffer | undefined {
  if (chunk.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(header);
  decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES));
    // Throws if the tag is wrong.
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}
