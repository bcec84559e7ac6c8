import { createHash } from 'node:crypto';

/** 32 bytes that determine everything that is generated for a key and a seed. */
export function computeSeedDigest(key: string, seed: number): Buffer {
  return createHash('sha256').update(`${key}\n${seed}`).digest();
}

/** A pseudorandom number of 32 bits: the finalizer of MurmurHash3. */
function hashToUint32(number: number, purpose: number): number {
  let h = (number ^ Math.imul(purpose + 1, 0x9e3779b1)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The random numbers of one generated item: 32 bits for each purpose. */
export type Roll = (purpose: number) => number;

/** Deterministic: the same digest and number give the same random numbers. */
export function createRandom(digest: Buffer, number: number): Roll {
  const start = digest.readUInt32BE(4) ^ Math.imul(number, 8);
  return (purpose) => hashToUint32(start, purpose);
}

/** Ids grow with the number, so that a million of them fill the index from left to right. */
export function getIds(digest: Buffer): (number: number) => string {
  const end = digest.toString('hex').slice(0, 16);
  return (number) => ((GENERATED_FROM + number) * 4).toString(32).padStart(10, '0') + end;
}

/** The earliest time of generated people. Fixed, so that the data doesn't depend on the current day. */
export const GENERATED_FROM = Date.UTC(2023, 0, 1);
