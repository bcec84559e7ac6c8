import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HookRequest } from '../provider.ts';

/** A request is authentic if it carries the secret, or in this header a signature of the body made with the secret. */
export function isAuthentic(secret: string, signatureHeader: string, { headers, body }: HookRequest): boolean {
  if (secret === '') return false;
  if (signatureHeader === '') {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    return isEqual(digest(given), digest(secret));
  }
  const value = headers[signatureHeader];
  if (typeof value !== 'string') return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = toSignature(value.trim());
  return given !== undefined && isEqual(given, expected);
}

/** Parses a signature in hex or base64, with or without `sha256=`. */
function toSignature(text: string): Buffer | undefined {
  const bare = text.replace(/^sha256=/i, '');
  if (/^[0-9a-f]{64}$/i.test(bare)) return Buffer.from(bare, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}

function digest(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
