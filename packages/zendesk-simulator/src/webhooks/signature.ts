import { createHmac } from 'node:crypto';

/** Signs test requests of webhooks that are not saved; known to everybody, so it proves nothing. */
export const TEST_SECRET = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';

/** The signature of a body: over the timestamp's text and the raw bytes, keyed by the secret's text, not what it decodes to. */
export function sign(secret: string | Buffer, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(timestamp).update(body).digest('base64');
}
