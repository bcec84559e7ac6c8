import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Verification } from '@steward/contract/integrations/verification';
import type { HookRequest } from '../provider.ts';

export interface Proof {
  verification: Verification;
  /** '' if it isn't known yet; then nothing is authentic. */
  secret: string;
  /** The time of the request in milliseconds, by the database's clock. */
  now: number;
}

/** Returns the reason why a request isn't authentic, for the sender and for admins; undefined if it is. */
export function findFault({ verification, secret, now }: Proof, request: HookRequest): string | undefined {
  if (secret === '') return "The sender's secret hasn't been entered yet.";
  switch (verification.method) {
    case 'bearer':
      return findTokenFault(secret, /^Bearer +(\S+)$/i.exec(getHeader(request.headers, 'authorization'))?.[1]);
    case 'token':
      return findTokenFault(secret, getHeader(request.headers, verification.header));
    case 'hmac':
      return findHmacFault(verification, secret, request) ?? findTimeFault(verification, request.headers, now);
    case 'standard':
      return (
        findStandardFault(secret, request) ??
        findTimeFault({ ...verification, timestamp_header: 'webhook-timestamp' }, request.headers, now)
      );
  }
}

/** The value of a header that was sent once; '' for none. */
export function getHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The key of Standard Webhooks is base64, which may start with `whsec_`; undefined if it isn't one. */
export function readStandardKey(secret: string): Buffer | undefined {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  return key.length > 0 && key.toString('base64') === text ? key : undefined;
}

const MISSING = 'The secret or the signature is missing.';
const WRONG_SIGNATURE = "The signature doesn't match the body and the secret.";

function findTokenFault(secret: string, given = ''): string | undefined {
  if (given === '') return MISSING;
  // Hashes have the same length, so that the time of the comparison says nothing about the secret.
  return timingSafeEqual(digest(given), digest(secret)) ? undefined : 'The secret is wrong.';
}

function findHmacFault(
  { header, prefix, timestamp_header, separator }: Verification,
  secret: string,
  { headers, body }: HookRequest,
): string | undefined {
  const value = getHeader(headers, header);
  if (value === '') return MISSING;
  const time = timestamp_header === '' ? '' : getHeader(headers, timestamp_header) + separator;
  const expected = createHmac('sha256', secret).update(time).update(body).digest();
  return isSignature(withoutPrefix(value, prefix), expected) ? undefined : WRONG_SIGNATURE;
}

/** The header may have several signatures, while a secret is being replaced. */
function findStandardFault(secret: string, { headers, body }: HookRequest): string | undefined {
  const [id, time, value] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    getHeader(headers, name),
  );
  if (!id || !time || !value) return MISSING;
  const key = readStandardKey(secret);
  if (key === undefined) return WRONG_SIGNATURE;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  const given = value.split(' ').filter((each) => each.startsWith('v1,'));
  return given.some((each) => isSignature(each.slice(3), expected)) ? undefined : WRONG_SIGNATURE;
}

/** An old request may have been recorded and sent again. Checked after the signature, which proves the time. */
function findTimeFault(
  { timestamp_header, tolerance }: Verification,
  headers: IncomingHttpHeaders,
  now: number,
): string | undefined {
  if (timestamp_header === '') return undefined;
  const age = now - readTime(getHeader(headers, timestamp_header));
  return Math.abs(age) <= tolerance * 1000
    ? undefined
    : `The request was signed more than ${tolerance} seconds ago, or in the future.`;
}

/** Milliseconds since 1970 of a time in seconds, milliseconds or ISO 8601; NaN for anything else. */
function readTime(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
}

function withoutPrefix(value: string, prefix: string): string {
  return value.toLowerCase().startsWith(prefix.toLowerCase()) ? value.slice(prefix.length) : value;
}

/** Compares a signature in hex or base64. */
function isSignature(text: string, expected: Buffer): boolean {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/]{43}=$/.test(text)) return false;
  return timingSafeEqual(Buffer.from(text, isHex ? 'hex' : 'base64'), expected);
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
