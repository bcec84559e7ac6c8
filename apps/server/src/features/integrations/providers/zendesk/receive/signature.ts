import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a request of the vendor is judged by. */
export interface SignedRequest {
  /** As the header says it. */
  timestamp: string;
  signature: string;
  /** The bytes as they came. */
  body: Buffer;
}

/** How far the clock of a request may be from ours: the vendor signs every try anew. */
const LEEWAY_MS = 5 * 60_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Signs what the vendor sends to webhooks that nobody saved; everybody knows it, so that it proves nothing. */
const KNOWN_TO_ALL = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';

/** Whether a key is one that only the vendor and we know. */
export function isUsableSecret(secret: string): boolean {
  return secret !== '' && secret !== KNOWN_TO_ALL;
}

/** Whether the request was signed by who has the secret, whose text is the key and not what it decodes to. */
export function hasValidSignature(secret: string, { timestamp, signature, body }: SignedRequest): boolean {
  const expected = createHmac('sha256', secret).update(timestamp).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  // Base64 is read leniently: only the one way of writing it counts.
  return given.toString('base64') === signature && given.length === expected.length && timingSafeEqual(expected, given);
}

/** Whether a timestamp is one, and not older or newer than the leeway. */
export function isFresh(timestamp: string, now: number): boolean {
  return INSTANT.test(timestamp) && Math.abs(now - Date.parse(timestamp)) <= LEEWAY_MS;
}
