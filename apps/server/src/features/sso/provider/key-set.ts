import type { JSONWebKeySet, JWK } from 'jose';
import { z } from 'zod';
import { TooLargeError } from '#platform/outbound/public-fetch.ts';

/** Longest metadata and key set that are read, in bytes: large providers publish less than 20 KiB. */
export const PUBLISHED_BYTES_MAX = 64 * 1024;
/** Verifying a signature looks at each key. */
export const KEYS_MAX = 20;
/** Verifying takes time with the square of the modulus and with each bit of the exponent. */
const MODULUS_BITS_MAX = 8_192;
const EXPONENT_BITS_MAX = 32;
const CURVES: ReadonlySet<string | undefined> = new Set(['P-256', 'P-384', 'P-521', 'Ed25519']);

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Refuses too many keys. Leaves out those that can't verify a signature here, such as keys for encryption. */
export function toKeySet(published: unknown): JSONWebKeySet {
  const { keys } = KeySet.parse(published);
  if (keys.length > KEYS_MAX) throw new TooLargeError('the key set has too many keys');
  return { keys: keys.filter(isUsable) };
}

function isUsable({ kty, crv, n, e }: JWK): boolean {
  if (kty === 'EC' || kty === 'OKP') return CURVES.has(crv);
  return kty === 'RSA' && countBits(n) <= MODULUS_BITS_MAX && countBits(e) <= EXPONENT_BITS_MAX;
}

/** Whole bytes. A value that isn't text is refused. */
function countBits(number: unknown): number {
  return typeof number === 'string' ? Buffer.from(number, 'base64url').length * 8 : Number.POSITIVE_INFINITY;
}
