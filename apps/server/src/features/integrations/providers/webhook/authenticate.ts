import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HookRequest } from '../provider.ts';

/** Whether a request proves that its sender knows the secret: by a signature of the body in this header, or as a bearer secret. */
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

/** Signatures come in hex or base64, bare or as `sha256=…`. */
function toSignature(text: string): Buffer | undefined {
  const bare = text.replace(/^sha256=/i, '');
  if (/^[0-9a-f]{64}$/i.test(bare)) return Buffer.from(bare, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}

/** What makes two signed requests the same: their bodies, since a sender could change anything else of a request it captured. */
export function toBodyId(body: Buffer): string {
  return digest(body).toString('hex');
}

function digest(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
