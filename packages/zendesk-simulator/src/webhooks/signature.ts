import { createHmac } from 'node:crypto';

/** The published secret for test requests of unsaved webhooks. */
export const TEST_SECRET = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';

/** Signs the timestamp's text and the raw body. The key is the secret's text, not its decoded bytes. */
export function sign(secret: string | Buffer, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(timestamp).update(body).digest('base64');
}
