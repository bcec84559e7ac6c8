import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuv';

/**
 * A new identifier: 26 characters a–v and 0–9. It begins with 48 bits of time, so that rows created together are adjacent in an
 * index. 16 bits follow that count within a millisecond of this process, from a random number below 2^15, so that lists sorted
 * by id are in the order in which it created the rows. The other 64 bits are random. Not a secret.
 */
export function newId(now: number = Date.now()): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(now, 0, 6);
  takeRandom(bytes);
  sequence = now === lastAt ? (sequence + 1) & 0xffff : bytes.readUInt16BE(6) & 0x7fff;
  lastAt = now;
  bytes.writeUInt16BE(sequence, 6);
  return base32(bytes);
}

let lastAt = 0;
let sequence = 0;

const RANDOM_BYTES = 10;
/** Random bytes for the next identifiers: getting a few from the system takes as long as getting many. */
let random = Buffer.alloc(0);
let used = 0;

function takeRandom(bytes: Buffer): void {
  if (used === random.length) {
    random = randomBytes(RANDOM_BYTES * 100);
    used = 0;
  }
  used += random.copy(bytes, 6, used, used + RANDOM_BYTES);
}

/** The smallest identifier of an instant; all earlier identifiers are smaller. */
export function firstId(at: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at, 0, 6);
  return base32(bytes);
}

function base32(bytes: Buffer): string {
  let out = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += ALPHABET[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return out + ALPHABET[(held << (5 - bits)) & 31];
}
