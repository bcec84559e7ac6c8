import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  timestamp: string;
  signature: string;
  body: Buffer;
}

/** Maximum difference between a request's timestamp and our clock. Zendesk signs each attempt again. */
const LEEWAY_MS = 5 * 60_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** The published secret with which Zendesk signs test requests of unsaved webhooks; it proves nothing. */
const PUBLIC_TEST_SECRET = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';

export function isUsableSecret(secret: string): boolean {
  return secret !== '' && secret !== PUBLIC_TEST_SECRET;
}

/** The key is the text of the secret, not the bytes that it decodes to. */
export function hasValidSignature(secret: string, { timestamp, signature, body }: SignedRequest): boolean {
  const expected = createHmac('sha256', secret).update(timestamp).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  // Buffer decodes base64 leniently; only the canonical encoding is accepted.
  return given.toString('base64') === signature && given.length === expected.length && timingSafeEqual(expected, given);
}

export function isFresh(timestamp: string, now: number): boolean {
  return INSTANT.test(timestamp) && Math.abs(now - Date.parse(timestamp)) <= LEEWAY_MS;
}
