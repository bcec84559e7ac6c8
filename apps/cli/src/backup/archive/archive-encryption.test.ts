import assert from 'node:assert/strict';
import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { describe, test } from 'vitest';
import { decryptionFor, encryptionFor, HEADER_BYTES, isEncrypted } from './archive-encryption.ts';

const ours = createSecrets('5e'.repeat(32));
const CHUNK = 64 * 1024;
const SEALED = CHUNK + 16;
const LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7];

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const joined = async (parts: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(parts));
const encrypt = (plain: Buffer, { size = 10_000, secrets = ours } = {}) =>
  joined(encryptionFor(secrets)(inPieces(plain, size)));

/** Returns the bytes before a refusal. */
async function read(file: Buffer, { size = 9_999, secrets = ours } = {}) {
  const passed: Buffer[] = [];
  try {
    const header = file.subarray(0, HEADER_BYTES);
    assert.ok(isEncrypted(header), 'is not a valid backup');
    const decrypt = decryptionFor(secrets, header, 'the file');
    for await (const part of decrypt(inPieces(file.subarray(HEADER_BYTES), size))) passed.push(part);
    return { plain: Buffer.concat(passed), refused: '' };
  } catch (error) {
    return { plain: Buffer.concat(passed), refused: (error as Error).message };
  }
}

const ALTERED = /^The backup is damaged or was altered\. Nothing was restored\.$/;

describe('an encrypted file', () => {
  test('is read back, however long it is and in whatever pieces it comes', async () => {
    for (const length of LENGTHS) {
      const plain = randomBytes(length);
      for (const size of [1_000, SEALED, SEALED * 2 + 1, 1_000_000]) {
        const file = await encrypt(plain, { size });
        assert.equal(file.length, HEADER_BYTES + length + 16 * Math.max(1, Math.ceil(length / CHUNK)));
        assert.deepEqual(await read(file, { size }), { plain, refused: '' }, `${length} bytes, ${size} at once`);
      }
    }
  });

  test('has the documented format, which takes only SECRET_KEY to read', async () => {
    const plain = randomBytes(CHUNK + 1);
    const file = await encrypt(plain);
    const header = file.subarray(0, 64);
    assert.equal(header.subarray(0, 17).toString(), 'steward-backup/2\n');
    const root = Buffer.from('5e'.repeat(32), 'hex');
    const key = Buffer.from(hkdfSync('sha256', root, header.subarray(25, 57), 'steward:backup.file', 32));
    const chunks = [file.subarray(64, 64 + SEALED), file.subarray(64 + SEALED)];
    const opened = chunks.map((chunk, at) => {
      const nonce = Buffer.concat([header.subarray(57), Buffer.from([0, 0, 0, at, at === chunks.length - 1 ? 1 : 0])]);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(header).setAuthTag(chunk.subarray(-16));
      return Buffer.concat([decipher.update(chunk.subarray(0, -16)), decipher.final()]);
    });
    assert.deepEqual(Buffer.concat(opened), plain);
  });

  test('is another one each time, and shows nothing of what it holds', async () => {
    const plain = Buffer.alloc(CHUNK * 2, 'The minutes');
    const [one, two] = [await encrypt(plain), await encrypt(plain)];
    assert.ok(!one.includes('minutes'));
    assert.ok(!one.subarray(HEADER_BYTES, HEADER_BYTES + 64).equals(two.subarray(HEADER_BYTES, HEADER_BYTES + 64)));
    assert.ok(!one.subarray(HEADER_BYTES, SEALED).equals(one.subarray(HEADER_BYTES + SEALED, 2 * SEALED)));
  });

  test('is refused where any byte of its header, and some of each chunk and tag, is changed', async () => {
    const file = await encrypt(randomBytes(2 * CHUNK + 5));
    const inChunks = [0, 1, 2].flatMap((chunk) => {
      const end = Math.min(HEADER_BYTES + (chunk + 1) * SEALED, file.length);
      return [HEADER_BYTES + chunk * SEALED, end - 17, end - 16, end - 1];
    });
    for (const at of [...Array(HEADER_BYTES).keys(), ...inChunks]) {
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x04, at);
      const { plain, refused } = await read(changed);
      assert.match(refused, /altered|not a valid backup|another SECRET_KEY/, `byte ${at}`);
      assert.equal(plain.length % CHUNK, 0, 'only whole chunks before the changed one pass');
    }
  });

  test('is refused where it is cut, at each border of a chunk and beside it', async () => {
    const file = await encrypt(randomBytes(3 * CHUNK));
    const borders = [1, 2, 3].map((chunk) => HEADER_BYTES + chunk * SEALED);
    for (const end of [HEADER_BYTES, HEADER_BYTES + 15, ...borders.flatMap((at) => [at - 16, at - 1, at, at + 1])]) {
      if (end >= file.length) continue;
      assert.match((await read(file.subarray(0, end))).refused, ALTERED, `cut at ${end}`);
    }
  });

  test('is refused where something is appended: a byte, a chunk, itself', async () => {
    for (const length of [10, CHUNK, 2 * CHUNK]) {
      const file = await encrypt(randomBytes(length));
      const body = file.subarray(HEADER_BYTES);
      for (const more of [Buffer.alloc(1), randomBytes(SEALED), body.subarray(-SEALED), body, file])
        assert.match((await read(Buffer.concat([file, more]))).refused, ALTERED);
    }
  });

  test('is refused where chunks are swapped, repeated, left out or taken from another file of the same key', async () => {
    const [file, other] = [await encrypt(randomBytes(4 * CHUNK)), await encrypt(randomBytes(4 * CHUNK))];
    const header = file.subarray(0, HEADER_BYTES);
    const chunk = (at: number, from = file) =>
      from.subarray(HEADER_BYTES + at * SEALED, HEADER_BYTES + (at + 1) * SEALED);
    const orders: Record<string, Buffer[]> = {
      swapped: [chunk(1), chunk(0), chunk(2), chunk(3)],
      repeated: [chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)],
      'left out': [chunk(0), chunk(2), chunk(3)],
      'without the first': [chunk(1), chunk(2), chunk(3)],
      'the last one earlier': [chunk(0), chunk(3)],
      'from another file': [chunk(0), chunk(1, other), chunk(2), chunk(3)],
    };
    for (const [name, chunks] of Object.entries(orders))
      assert.match((await read(Buffer.concat([header, ...chunks]))).refused, ALTERED, name);
    const swappedHeader = Buffer.concat([other.subarray(0, HEADER_BYTES), file.subarray(HEADER_BYTES)]);
    assert.match((await read(swappedHeader)).refused, ALTERED);
  });

  test('of another key is refused by name, before anything of it is read', async () => {
    const theirs = createSecrets('aa'.repeat(32));
    const { plain, refused } = await read(await encrypt(randomBytes(10), { secrets: theirs }));
    assert.match(refused, /^the file was written with another SECRET_KEY \(its id is [0-9a-f]{16}, not [0-9a-f]{16}\)/);
    assert.equal(plain.length, 0);
    const forged = Buffer.from(await encrypt(randomBytes(10), { secrets: theirs }));
    (await encrypt(Buffer.alloc(0))).copy(forged, 0, 0, 25);
    assert.match((await read(forged)).refused, ALTERED, 'a header that names our key does not help');
  });

  test('is encrypted with the current key during a rotation', async () => {
    const rotating = createSecrets('5e'.repeat(32), 'aa'.repeat(32));
    const plain = randomBytes(10);
    assert.deepEqual(await read(await encrypt(plain, { secrets: rotating })), { plain, refused: '' });
  });
});
