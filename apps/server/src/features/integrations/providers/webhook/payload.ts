import { parseJson } from '#platform/http/json.ts';
import type { HookRequest } from '../provider.ts';

const DEPTH_MAX = 100;

export type Payload = Record<string, unknown>;

/** Parses the JSON object in a body; undefined if it isn't one, or is nested too deeply. */
export function parsePayload(body: string | Uint8Array): Payload | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = parseJson(text, { depth: DEPTH_MAX });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON of a request. GitHub and others can send it as the field `payload` of a form; the signature covers the form. */
export function readBody({ headers, body }: HookRequest): Buffer {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return body;
  const payload = new URLSearchParams(body.toString('utf8')).get('payload');
  return payload === null ? body : Buffer.from(payload);
}
